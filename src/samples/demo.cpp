#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/parallel.h"
#include "isthmus/data.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

constexpr Index kSide = 16;
constexpr Index kPixels = kSide * kSide;
constexpr int kDigits = 10;
/// Samples a thread draws at a time.
constexpr Index kDrawnBlock = 64;

struct Point {
  double x, y;  ///< in the unit square, y downwards
};

/// Strokes are smooth curves through points named by position. A point twice in a row is a corner; a
/// stroke that ends where it began is closed smoothly.
struct Glyph {
  std::vector<Point> points;
  std::vector<std::vector<std::size_t>> strokes;
};

/// The ways people write each digit.
const std::array<std::vector<Glyph>, kDigits>& glyphs() {
  static const std::array<std::vector<Glyph>, kDigits> table{{
      {{{{.50, .10}, {.27, .25}, {.20, .50}, {.27, .76}, {.50, .90}, {.73, .76}, {.80, .50}, {.73, .25}},
        {{0, 1, 2, 3, 4, 5, 6, 7, 0}}}},
      {{{{.34, .28}, {.53, .10}, {.50, .90}}, {{0, 1, 1, 2}}},
       {{{.53, .10}, {.50, .50}, {.50, .90}}, {{0, 1, 2}}}},
      {{{{.24, .30}, {.33, .14}, {.52, .10}, {.72, .24}, {.66, .45}, {.45, .67}, {.22, .88}, {.80, .87}},
        {{0, 1, 2, 3, 4, 5, 6, 6, 7}}},
       {{{.24, .28}, {.48, .10}, {.70, .26}, {.56, .58}, {.32, .86}, {.26, .76}, {.50, .78}, {.80, .88}},
        {{0, 1, 2, 3, 4, 5, 6, 7}}}},
      {{{{.25, .18},
         {.48, .10},
         {.71, .21},
         {.66, .38},
         {.44, .47},
         {.70, .56},
         {.76, .74},
         {.52, .90},
         {.23, .82}},
        {{0, 1, 2, 3, 4, 4, 5, 6, 7, 8}}},
       {{{.26, .12}, {.74, .12}, {.46, .44}, {.72, .56}, {.75, .74}, {.52, .90}, {.23, .82}},
        {{0, 1, 1, 2, 2, 3, 4, 5, 6}}}},
      {{{{.60, .10}, {.20, .62}, {.82, .62}, {.60, .92}}, {{0, 1, 1, 2}, {0, 3}}},
       {{{.34, .12}, {.24, .56}, {.80, .56}, {.68, .26}, {.63, .92}}, {{0, 1, 1, 2}, {3, 4}}}},
      {{{{.75, .12}, {.35, .12}, {.30, .46}, {.54, .40}, {.76, .56}, {.72, .79}, {.50, .90}, {.24, .82}},
        {{0, 1, 1, 2, 2, 3, 4, 5, 6, 7}}}},
      {{{{.68, .12},
         {.42, .28},
         {.27, .56},
         {.33, .81},
         {.53, .90},
         {.74, .76},
         {.68, .56},
         {.48, .50},
         {.29, .66}},
        {{0, 1, 2, 3, 4, 5, 6, 7, 8}}}},
      {{{{.22, .14}, {.78, .14}, {.56, .50}, {.42, .90}}, {{0, 1, 1, 2, 3}}},
       {{{.22, .14}, {.78, .14}, {.56, .50}, {.42, .90}, {.36, .50}, {.74, .50}}, {{0, 1, 1, 2, 3}, {4, 5}}}},
      {{{{.50, .47}, {.29, .29}, {.50, .10}, {.71, .29}, {.50, .47}, {.25, .70}, {.50, .90}, {.75, .70}},
        {{0, 1, 2, 3, 4, 5, 6, 7, 0}}}},
      {{{{.72, .30}, {.52, .10}, {.30, .22}, {.29, .42}, {.48, .52}, {.69, .60}, {.56, .90}},
        {{0, 1, 2, 3, 4, 0, 0, 5, 6}}},
       {{{.72, .30}, {.52, .10}, {.30, .22}, {.29, .42}, {.48, .52}, {.71, .62}, {.56, .86}, {.30, .84}},
        {{0, 1, 2, 3, 4, 0, 0, 5, 6, 7}}}},
  }};
  return table;
}

/// A quantity that varies from sample to sample.
struct Varying {
  double mean, spread;
};

/// How one domain writes and scans.
struct Style {
  Varying slant;       ///< shear: x per y
  Varying rotation;    ///< radians
  Varying width;       ///< of the unit square
  Varying height;      ///< of the unit square
  Varying radius;      ///< half the stroke thickness, pixels
  Varying blur;        ///< width of the stroke's edge, pixels
  Varying contrast;    ///< ink minus paper
  Varying background;  ///< paper
  double shift;        ///< spread of the position, pixels
  double wobble;       ///< spread of each point of a glyph, of the unit square
  double noise;        ///< spread of each pixel
};

/// A fine upright pen on clean paper.
constexpr Style kSource{.slant = {0.05, 0.10},
                        .rotation = {0, 0.06},
                        .width = {0.90, 0.07},
                        .height = {0.92, 0.05},
                        .radius = {0.65, 0.12},
                        .blur = {0.35, 0.05},
                        .contrast = {0.95, 0.05},
                        .background = {0.02, 0.01},
                        .shift = 0.5,
                        .wobble = 0.030,
                        .noise = 0.03};

/// A broad slanted felt pen, badly scanned.
constexpr Style kTarget{.slant = {0.30, 0.10},
                        .rotation = {0, 0.06},
                        .width = {0.75, 0.07},
                        .height = {0.85, 0.05},
                        .radius = {1.40, 0.20},
                        .blur = {1.40, 0.15},
                        .contrast = {0.65, 0.12},
                        .background = {0.15, 0.04},
                        .shift = 0.5,
                        .wobble = 0.030,
                        .noise = 0.08};

/// Random numbers of one sample: splitmix64 (Steele, Lea & Flood 2014) from a seed of its own, so that a
/// sample does not depend on how many others are drawn, nor on which thread.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t purpose, Index index) : state_(seed) {
    state_ = next() ^ purpose;
    state_ = next() ^ static_cast<std::uint64_t>(index);
  }

  double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  std::size_t below(std::size_t count) {
    return std::min(static_cast<std::size_t>(uniform() * static_cast<double>(count)), count - 1);
  }
  /// Standard normal, by Box and Muller.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  double draw(Varying quantity) { return quantity.mean + quantity.spread * normal(); }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  std::uint64_t state_;
};

enum Purpose : std::uint64_t { kSourceOrder = 1, kTargetOrder, kSourceGlyph, kTargetGlyph };

/// Every ten samples in a row hold every digit once, in random order.
int digit_of(Index sample, std::uint64_t seed, Purpose order) {
  std::array<int, kDigits> digits{};
  for (int i = 0; i < kDigits; ++i) digits[static_cast<std::size_t>(i)] = i;
  Stream random(seed, order, sample / kDigits);
  for (std::size_t i = kDigits - 1; i > 0; --i) std::swap(digits[i], digits[random.below(i + 1)]);
  return digits[static_cast<std::size_t>(sample % kDigits)];
}

/// The uniform Catmull-Rom curve through b and c, at t in [0, 1].
Point catmull_rom(Point a, Point b, Point c, Point d, double t) {
  const auto blend = [t](double p, double q, double r, double s) {
    return q + 0.5 * t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)));
  };
  return {blend(a.x, b.x, c.x, d.x), blend(a.y, b.y, c.y, d.y)};
}

using Image = Eigen::Array<double, kPixels, 1>;

/// Squared distance, in pixels, of every pixel's centre to the nearest stroke drawn so far.
class Canvas {
 public:
  Canvas() {
    nearest_.setConstant(2.0 * kPixels);
    for (Index pixel = 0; pixel < kPixels; ++pixel) {
      const Index row = pixel / kSide;
      x_[pixel] = static_cast<double>(pixel - row * kSide) + 0.5;
      y_[pixel] = static_cast<double>(row) + 0.5;
    }
  }

  void segment(Point from, Point to) {
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double length = std::max(dx * dx + dy * dy, 1e-12);
    const Image along = (((x_ - from.x) * dx + (y_ - from.y) * dy) / length).max(0.0).min(1.0);
    nearest_ = nearest_.min((x_ - from.x - dx * along).square() + (y_ - from.y - dy * along).square());
  }

  Image distance() const { return nearest_.sqrt(); }

 private:
  Image x_, y_, nearest_;
};

void draw_stroke(Canvas& canvas, const std::vector<Point>& points, const std::vector<std::size_t>& stroke) {
  constexpr int kPieces =
      5;  // per stretch between two points: straight pieces well under a pixel off the curve
  const std::size_t last = stroke.size() - 1;
  const bool closed = stroke.front() == stroke.back();
  for (std::size_t i = 0; i < last; ++i) {
    if (stroke[i] == stroke[i + 1]) continue;
    const std::size_t before = i > 0 ? stroke[i - 1] : stroke[closed ? last - 1 : 0];
    const std::size_t after = i + 2 <= last ? stroke[i + 2] : stroke[closed ? 1 : last];
    Point from = points[stroke[i]];
    for (int piece = 1; piece <= kPieces; ++piece) {
      const Point to = catmull_rom(points[before], points[stroke[i]], points[stroke[i + 1]], points[after],
                                   static_cast<double>(piece) / kPieces);
      canvas.segment(from, to);
      from = to;
    }
  }
}

/// The glyph's points as this hand puts them on the canvas.
std::vector<Point> handwritten(const Glyph& glyph, const Style& style, Stream& random) {
  const double slant = random.draw(style.slant);
  const double rotation = random.draw(style.rotation);
  const double width = random.draw(style.width) * kSide;
  const double height = random.draw(style.height) * kSide;
  const Point centre{0.5 * kSide + style.shift * random.normal(),
                     0.5 * kSide + style.shift * random.normal()};
  std::vector<Point> points;
  points.reserve(glyph.points.size());
  for (const Point& point : glyph.points) {
    const double y = (point.y - 0.5 + style.wobble * random.normal()) * height;
    const double x = (point.x - 0.5 + style.wobble * random.normal()) * width - slant * y;
    points.push_back({centre.x + x * std::cos(rotation) - y * std::sin(rotation),
                      centre.y + x * std::sin(rotation) + y * std::cos(rotation)});
  }
  return points;
}

Image draw_digit(int digit, const Style& style, Stream& random) {
  const std::vector<Glyph>& ways = glyphs()[static_cast<std::size_t>(digit)];
  const Glyph& glyph = ways[random.below(ways.size())];
  const std::vector<Point> points = handwritten(glyph, style, random);
  Canvas canvas;
  for (const auto& stroke : glyph.strokes) draw_stroke(canvas, points, stroke);

  const double radius = std::max(random.draw(style.radius), 0.3);
  const double blur = std::max(random.draw(style.blur), 0.1);
  const double contrast = random.draw(style.contrast);
  const double background = random.draw(style.background);
  // Ink falls from 1 inside the stroke to 0 outside along a logistic edge of width `blur`.
  Image image = background + contrast / (1 + ((canvas.distance() - radius) / (0.5 * blur)).exp());
  for (double& pixel : image) pixel += style.noise * random.normal();
  return image.max(0.0).min(1.0);
}

Domain draw_domain(Index count, const Style& style, std::uint64_t seed, Purpose order, Purpose glyph,
                   const Execution& run) {
  Matrix features(kPixels, count);
  std::vector<std::string> names(static_cast<std::size_t>(count));
  parallel_ranges(run, count, kDrawnBlock, [&](Index begin, Index length) {
    for (Index sample = begin; sample < begin + length; ++sample) {
      const int digit = digit_of(sample, seed, order);
      Stream random(seed, glyph, sample);
      features.col(sample) = draw_digit(digit, style, random);
      names[static_cast<std::size_t>(sample)] = std::to_string(digit);
    }
  });
  return {std::move(features), encode_labels(std::move(names))};
}

}  // namespace

DomainPair make_demo(const DemoOptions& options, const Execution& run) {
  if (options.source_count < 2 || options.target_count < 1) {
    throw InvalidArgument(
        fmt::format("the demo needs at least 2 source samples and 1 target sample; asked were {} and {}",
                    options.source_count, options.target_count));
  }
  return {draw_domain(options.source_count, kSource, options.seed, kSourceOrder, kSourceGlyph, run),
          draw_domain(options.target_count, kTarget, options.seed, kTargetOrder, kTargetGlyph, run)};
}

}  // namespace isthmus
