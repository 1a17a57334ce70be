# A room is one folder under src/ or tools-lib/. It sees the headers of the rooms it names and of no other: each room's
# folder is linked as <build>/rooms/<room>/<room>, so `#include "linalg/svd.h"` resolves only where allowed.

function(isthmus_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wno-sign-conversion)
  if(ISTHMUS_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # Eigen's alignment is part of the ABI: pinned, so that user code compiled for AVX agrees with the library.
  target_compile_definitions(${target} PRIVATE EIGEN_MAX_ALIGN_BYTES=16 EIGEN_DONT_PARALLELIZE)
  # GCC 12 warns of what is not there inside Eigen (maybe-uninitialized) and std::string (restrict, PR 105651), and takes
  # the sources of a unity build for headers, where an unnamed namespace would be a mistake (subobject-linkage).
  target_compile_options(${target} PRIVATE
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-restrict;-Wno-subobject-linkage>)
endfunction()

# isthmus_room(NAME [TOOL] SOURCES a.cpp ... ROOMS core ... LIBRARIES fmt::fmt ...)
# A tool is no part of libisthmus: who needs it links isthmus_NAME and isthmus_NAME_headers.
function(isthmus_room name)
  cmake_parse_arguments(arg "TOOL" "" "SOURCES;ROOMS;LIBRARIES" ${ARGN})
  set(root ${PROJECT_BINARY_DIR}/rooms/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)

  add_library(isthmus_${name}_headers INTERFACE)
  target_include_directories(isthmus_${name}_headers INTERFACE ${root} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(isthmus_${name}_headers INTERFACE Eigen3::Eigen)
  foreach(room ${arg_ROOMS})
    target_link_libraries(isthmus_${name}_headers INTERFACE isthmus_${room}_headers)
  endforeach()

  add_library(isthmus_${name} OBJECT ${arg_SOURCES})
  target_link_libraries(isthmus_${name} PRIVATE isthmus_${name}_headers fmt::fmt ${arg_LIBRARIES})
  target_compile_definitions(isthmus_${name} PRIVATE ISTHMUS_VERSION="${PROJECT_VERSION}")
  isthmus_flags(isthmus_${name})
  if(arg_TOOL)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY ISTHMUS_ROOMS ${name})
  set_property(GLOBAL APPEND PROPERTY ISTHMUS_LIBRARIES ${arg_LIBRARIES})
endfunction()
