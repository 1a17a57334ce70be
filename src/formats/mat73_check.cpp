#include <fmt/format.h>
#include <hdf5.h>

#include "formats/mat_check.h"
#include "io/limits.h"
#include "isthmus/errors.h"

namespace isthmus {
namespace {

/// An HDF5 handle, given back by its own function.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  explicit operator bool() const { return id_ >= 0; }
  hid_t id() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

struct Visit {
  std::uint64_t file_bytes;
  std::string problem;
};

/// Called for every object; an exception must not pass through the C library.
herr_t check_object(hid_t root, const char* name, const H5O_info_t* info, void* state) {
  auto& visit = *static_cast<Visit*>(state);
  if (info->type != H5O_TYPE_DATASET) return 0;
  const Handle dataset(H5Dopen2(root, name, H5P_DEFAULT), H5Dclose);
  const Handle space(dataset ? H5Dget_space(dataset.id()) : -1, H5Sclose);
  const Handle type(dataset ? H5Dget_type(dataset.id()) : -1, H5Tclose);
  if (!space || !type) {
    visit.problem = fmt::format("variable '{}' is damaged", name);
    return 1;
  }
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  const double bytes = static_cast<double>(count) * static_cast<double>(H5Tget_size(type.id()));
  if (count < 0 || bytes > static_cast<double>(kMaxInflation) * static_cast<double>(visit.file_bytes)) {
    visit.problem = fmt::format("variable '{}' claims {:.0f} bytes, more than a file of {} can hold packed",
                                name, bytes, visit.file_bytes);
    return 1;
  }
  return 0;
}

}  // namespace

void check_mat73(const InputFile& file) {
  // The library must not print; HDF5 does unless told otherwise.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Handle opened(H5Fopen(file.path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  Visit visit{file.size(), ""};
  const herr_t status =
      opened ? H5Ovisit2(opened.id(), H5_INDEX_NAME, H5_ITER_NATIVE, check_object, &visit, H5O_INFO_BASIC)
             : -1;
  if (status < 0) visit.problem = "the HDF5 structure is damaged; it may be truncated";
  if (!visit.problem.empty()) {
    throw IoError(fmt::format("{}: no valid MAT 7.3 file: {}", file.path().string(), visit.problem));
  }
}

}  // namespace isthmus
