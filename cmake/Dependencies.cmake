# Every third-party library, found once. All come from the system's package manager (tools/setup).
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CURL REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(matio REQUIRED IMPORTED_TARGET matio)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)

# The single-threaded OpenBLAS comes first: Isthmus runs its own threads over fixed blocks, so results do
# not depend on the thread count. It holds LAPACK too. The OpenMP flavour is not safe under such threads.
find_library(ISTHMUS_OPENBLAS openblas REQUIRED
             HINTS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial
                   /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread)
get_filename_component(ISTHMUS_OPENBLAS_DIR ${ISTHMUS_OPENBLAS} DIRECTORY)
list(APPEND CMAKE_BUILD_RPATH ${ISTHMUS_OPENBLAS_DIR})
list(APPEND CMAKE_INSTALL_RPATH ${ISTHMUS_OPENBLAS_DIR})
