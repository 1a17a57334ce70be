# The third-party libraries of libisthmus, found once. All come from the system's package manager (tools/setup).
# What only the program needs is found in tools-lib and apps.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(matio REQUIRED IMPORTED_TARGET matio)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)

# The pthread flavour of OpenBLAS (LAPACK included) comes first: Isthmus calls it from its own threads, on one
# thread a call, and of Debian's flavours it is the one whose products stay right then.
find_library(ISTHMUS_OPENBLAS openblas REQUIRED
             HINTS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread)
get_filename_component(ISTHMUS_OPENBLAS_DIR ${ISTHMUS_OPENBLAS} DIRECTORY)
list(APPEND CMAKE_BUILD_RPATH ${ISTHMUS_OPENBLAS_DIR})
list(APPEND CMAKE_INSTALL_RPATH ${ISTHMUS_OPENBLAS_DIR} $ORIGIN/../${CMAKE_INSTALL_LIBDIR})
