#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "formats/mat_file.h"
#include "io/bounded_json.h"
#include "io/input_file.h"
#include "io/isolated_process.h"
#include "io/limits.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

using nlohmann::json;
using Send = IsolatedProcess::Send;

/// Of HDF5 itself.
constexpr std::uint64_t kMaxHdf5Dimensions = 32;

// ---- In the process that reads. A message is its length and CBOR, which holds any bytes as text. ----

void send_message(const Send& send, const json& message) {
  const std::vector<std::uint8_t> bytes = json::to_cbor(message);
  const std::uint64_t length = bytes.size();
  send({reinterpret_cast<const char*>(&length), sizeof(length)});
  send({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

json to_json(const ArrayInfo& info) {
  return {{"name", info.name},
          {"element", static_cast<int>(info.layout.element)},
          {"type", info.type},
          {"shape", info.shape},
          {"rows_are_words", info.rows_are_words}};
}

/// Opens the file and does the work; its own errors become a message.
void answer(const Send& send, const std::filesystem::path& path,
            const std::function<void(const ArrayFile&)>& work) {
  try {
    const std::unique_ptr<ArrayFile> file = open_mat_here(path);
    work(*file);
  } catch (const Error& error) {
    send_message(send, {{"error", error.what()}});
  }
}

void send_values(const Send& send, const ArrayFile& file, std::size_t array, std::uint64_t bytes) {
  const ByteStream stream = file.open(array);
  send_message(send, json::object());
  std::array<char, 1 << 16> block;
  while (bytes > 0) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, block.size()));
    stream(block.data(), part);
    send({block.data(), part});
    bytes -= part;
  }
}

// ---- In ours, where nothing that comes back is believed: that process may have been taken over. ----

class Mat73File : public ArrayFile {
 public:
  explicit Mat73File(const std::filesystem::path& file_path) {
    path = file_path;
    format = "mat";
    either_axis = true;
    file_bytes_ = InputFile(path).size();
    most_bytes = max_dense_bytes(file_bytes_);
    const auto process = start([](const Send& send, const ArrayFile& file) {
      json list = json::array();
      for (const ArrayInfo& info : file.arrays) list.push_back(to_json(info));
      send_message(send, {{"arrays", list}});
    });
    understand([&] {
      const json message = receive(*process);
      for (const json& info : message.at("arrays")) arrays.push_back(array_info(info));
    });
  }

  ByteStream open(std::size_t array) const override {
    const ArrayInfo& info = arrays[array];
    const std::uint64_t bytes = *element_count(info.shape) * info.layout.item_bytes;
    if (bytes == 0) return [](char*, std::size_t) {};
    require_room(info, sizeof(double));
    auto process = start([&](const Send& send, const ArrayFile& file) {
      require_same(file, array);
      send_values(send, file, array, bytes);
    });
    understand([&] { receive(*process); });
    return [process](char* to, std::size_t count) { process->read(to, count); };
  }

  std::vector<std::string> words(std::size_t array) const override {
    if (arrays[array].layout.element != Element::Text) return ArrayFile::words(array);
    require_room(arrays[array], sizeof(std::string));
    const auto process = start([&](const Send& send, const ArrayFile& file) {
      require_same(file, array);
      send_message(send, {{"words", file.words(array)}});
    });
    std::vector<std::string> words;
    understand([&] { words = receive(*process).at("words").get<std::vector<std::string>>(); });
    return words;
  }

 private:
  std::string where() const { return fmt::format("{}: no valid MAT 7.3 file", path.string()); }
  [[noreturn]] void fail(const std::string& what) const {
    throw IoError(fmt::format("{}: {}", where(), what));
  }

  std::shared_ptr<IsolatedProcess> start(
      const std::function<void(const Send&, const ArrayFile&)>& work) const {
    const std::chrono::seconds for_size(file_bytes_ / 1'000'000);
    const IsolatedProcess::Limits limits{(std::uint64_t{256} << 20) + 4 * most_bytes,
                                         std::chrono::seconds(10) + for_size,
                                         std::chrono::seconds(100) + for_size};
    // Held while the process is copied, so that no other thread is in matio; its copy is let go there.
    std::unique_lock lock(matio_guard());
    return std::make_shared<IsolatedProcess>(where(), limits, [&](const Send& send) {
      lock.unlock();
      answer(send, path, [&](const ArrayFile& file) { work(send, file); });
    });
  }

  void require_same(const ArrayFile& file, std::size_t array) const {
    if (array < file.arrays.size() && file.arrays[array].name == arrays[array].name &&
        file.arrays[array].shape == arrays[array].shape)
      return;
    throw IoError(fmt::format("{}: the file was changed while it was read", path.string()));
  }

  json receive(IsolatedProcess& process) const {
    std::uint64_t length = 0;
    process.read(reinterpret_cast<char*>(&length), sizeof(length));
    if (length > most_bytes) fail("its reader sent nonsense; the file is damaged");
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(length));
    process.read(reinterpret_cast<char*>(bytes.data()), bytes.size());
    json message = parse_cbor(bytes, fmt::format("{}: what its reader sent", where()));
    if (message.is_object() && message.contains("error")) throw IoError(message["error"].get<std::string>());
    return message;
  }

  /// Takes apart what was received.
  void understand(const std::function<void()>& take) const {
    try {
      take();
    } catch (const json::exception&) {
      fail("its reader sent nonsense; the file is damaged");
    }
  }

  ArrayInfo array_info(const json& from) const {
    ArrayInfo info;
    info.name = from.at("name").get<std::string>();
    const int element = from.at("element").get<int>();
    if (element < 0 || element > static_cast<int>(Element::Other)) fail("an array of unknown type");
    info.layout.element = static_cast<Element>(element);
    info.layout.item_bytes = element_bytes(info.layout.element);
    info.type = from.at("type").get<std::string>();
    info.shape = from.at("shape").get<std::vector<Index>>();
    info.fortran_order = true;
    info.rows_are_words = from.at("rows_are_words").get<bool>();
    if (info.shape.size() > kMaxHdf5Dimensions ||
        element_count(info.shape).value_or(~std::uint64_t{0}) > kMaxMatElements) {
      fail(fmt::format("variable '{}' has impossible dimensions", info.name));
    }
    return info;
  }

  std::uint64_t file_bytes_ = 0;
};

}  // namespace

std::unique_ptr<ArrayFile> open_mat73(const std::filesystem::path& path) {
  return std::make_unique<Mat73File>(path);
}

}  // namespace isthmus
