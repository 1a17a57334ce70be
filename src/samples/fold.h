#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/parallel.h"
#include "isthmus/errors.h"
#include "isthmus/features.h"
#include "samples/summary_bytes.h"

namespace isthmus {

/// Samples of a block, counted from the first of all: part of the definition of whatever is summed. 2 MB at
/// 256 features, and at any number of features far more work than to merge two scatter matrices.
inline constexpr Index kFoldBlock = 1024;

/// Adds a block to a summary, on the threads of `run` where the summary can use them.
template <class Summary>
void add_block(Summary& summary, const MatrixView& block, Index first, const Execution& run) {
  if constexpr (requires { summary.add(block, first, run); }) {
    summary.add(block, first, run);
  } else {
    summary.add(block, first);
  }
}

/// Whether threads share each block instead of the blocks: for summaries too large to have many of.
template <class Summary>
bool divides_blocks(const Summary& summary) {
  if constexpr (requires { summary.divides_blocks(); }) return summary.divides_blocks();
  return false;
}

/// A pass over samples, or over a part of them, that yields a summary: what a method needs to know of all
/// samples.
///
/// A summary has add(block, first), `first` the number of the block's first sample, and merge(other); to
/// travel also write(bytes) and read(bytes). Each block gets one of its own, a copy of the empty one, and
/// neighbours are merged as in a binary tree over the block numbers. Blocks and tree depend on the sample
/// numbers alone, so the result is the same bytes for any number of threads, and however the samples were
/// divided between processes at block borders. Holds as many summaries as there are threads and levels of the
/// tree.
template <class Summary>
class Fold {
 public:
  explicit Fold(Summary empty) : empty_(std::move(empty)) {}
  Fold(const Fold& other) : empty_(other.empty_), nodes_(other.nodes_), end_(other.end_) {}
  Fold& operator=(const Fold&) = delete;

  const Summary& empty() const { return empty_; }

  /// Adds the samples with the numbers `first`, `first` + 1, …; `first` is a multiple of kFoldBlock, and so
  /// is the number of samples where others follow.
  void add(const SampleView& samples, Index first, const Execution& run) {
    if (first < 0 || first % kFoldBlock != 0) {
      throw InvalidArgument(
          fmt::format("a part of the samples begins at number {} (from 0); expected a multiple of {}", first,
                      kFoldBlock));
    }
    if (samples.cols() == 0) return;
    const Index block = first / kFoldBlock;
    require_free(block, block + block_count(samples.cols(), kFoldBlock));
    if (samples.cols() % kFoldBlock != 0) end_at(block + samples.cols() / kFoldBlock);
    const bool divided = divides_blocks(empty_);
    const Execution inside = divided ? run : run.on(1);
    parallel_ranges(divided ? run.on(1) : run, samples.cols(), kFoldBlock, [&](Index begin, Index length) {
      Summary summary = empty_;
      add_block(summary, samples.columns(begin, length), first + begin, inside);
      put(block + begin / kFoldBlock, 0, std::move(summary));
    });
  }

  /// Adds what another fold has seen, of other samples.
  void merge(const Fold& other) {
    for (const auto& [block, node] : other.nodes_) require_free(block, block + node.blocks());
    if (other.end_) end_at(*other.end_);
    for (const auto& [block, node] : other.nodes_) put(block, node.level, node.summary);
  }

  /// The summary of all samples from number 0 on; the fold is empty afterwards. Throws InvalidArgument where
  /// samples are missing.
  Summary finish() {
    Index next = 0;
    for (const auto& [block, node] : nodes_) {
      if (block != next || (end_ && *end_ < next)) refuse_gap(next);
      next += node.blocks();
    }
    if (end_ && *end_ != next - 1) refuse_gap(*end_);
    if (nodes_.empty()) return empty_;
    Summary all = std::move(nodes_.rbegin()->second.summary);
    for (auto node = std::next(nodes_.rbegin()); node != nodes_.rend(); ++node) {
      node->second.summary.merge(all);
      std::swap(all, node->second.summary);
    }
    nodes_.clear();
    end_.reset();
    return all;
  }

  void write(std::string& bytes) const {
    SummaryWriter record(bytes, kKind, 1);
    record.integer(kFoldBlock);
    empty_.write(bytes);
    record.integer(end_.value_or(-1));
    record.integer(static_cast<std::int64_t>(nodes_.size()));
    for (const auto& [block, node] : nodes_) {
      record.integer(block);
      record.integer(node.level);
      node.summary.write(bytes);
    }
    record.finish();
  }

  /// Replaces what was added by what the bytes hold.
  void read(std::string_view& bytes) {
    SummaryReader record(bytes, kKind, 1);
    if (record.size() != kFoldBlock) record.refuse("its blocks are of another size");
    empty_.read(record.rest());
    const std::int64_t end = record.integer();
    nodes_.clear();
    end_.reset();
    if (end >= 0) end_ = end;
    for (Index left = record.size(); left > 0; --left) {
      const Index block = record.size();
      const Index level = record.size();
      if (level >= kMostLevels || block >= kMostBlocks || block % (Index{1} << level) != 0)
        record.refuse("a node of it lies where none can be");
      require_free(block, block + (Index{1} << level));
      Summary summary = empty_;
      summary.read(record.rest());
      put(block, static_cast<int>(level), std::move(summary));
    }
    record.finish();
  }

 private:
  static constexpr std::string_view kKind = "fold";
  static constexpr Index kMostLevels = 48;
  static constexpr Index kMostBlocks = Index{1} << kMostLevels;

  /// The summary of 2^level blocks.
  struct Node {
    int level;
    Summary summary;

    Index blocks() const { return Index{1} << level; }
  };

  /// Merges with the neighbours that are there, and goes up with the result.
  void put(Index block, int level, Summary summary) {
    std::unique_lock lock(guard_);
    while (true) {
      const auto beside = nodes_.find(block ^ Index{1} << level);
      if (beside == nodes_.end() || beside->second.level != level) break;
      Summary other = std::move(beside->second.summary);
      nodes_.erase(beside);
      lock.unlock();
      const Index bit = Index{1} << level++;
      if ((block & bit) != 0) std::swap(summary, other);
      summary.merge(other);
      block &= ~bit;
      lock.lock();
    }
    nodes_.emplace(block, Node{level, std::move(summary)});
  }

  void require_free(Index begin, Index end) const {
    for (const auto& [block, node] : nodes_) {
      if (block >= end || block + node.blocks() <= begin) continue;
      throw InvalidArgument(fmt::format("samples {} … {} (from 0) were added before; each belongs in once",
                                        std::max(begin, block) * kFoldBlock,
                                        std::min(end, block + node.blocks()) * kFoldBlock - 1));
    }
  }

  /// Notes that this block, shorter than others, is the last of all.
  void end_at(Index block) {
    if (end_) {
      throw InvalidArgument(fmt::format(
          "two parts of the samples end inside a block, near numbers {} and {}; all but the last need a "
          "multiple of {} samples",
          *end_ * kFoldBlock, block * kFoldBlock, kFoldBlock));
    }
    end_ = block;
  }

  [[noreturn]] static void refuse_gap(Index block) {
    throw InvalidArgument(fmt::format(
        "samples from number {} (from 0) on are missing; add or merge all parts first", block * kFoldBlock));
  }

  Summary empty_;
  std::map<Index, Node> nodes_;  ///< by their first block, no two that could be merged
  std::optional<Index> end_;     ///< the block that is not full
  std::mutex guard_;
};

/// The summary of all samples.
template <class Summary>
Summary fold(const SampleView& samples, const Execution& run, Summary empty) {
  Fold<Summary> pass(std::move(empty));
  pass.add(samples, 0, run);
  return pass.finish();
}

/// The same of both domains, each numbered by itself.
template <class Summary>
Summary fold(const SampleView& source, const SampleView& target, const Execution& run, const Summary& empty) {
  Summary all = fold(source, run, empty);
  all.merge(fold(target, run, empty));
  return all;
}

}  // namespace isthmus
