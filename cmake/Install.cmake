# cmake --install: headers, library, find_package(isthmus), pkg-config, and the licences of what is built in.
include(CMakePackageConfigHelpers)

# isthmus_install(TARGET EXPORT [COMPONENT name EXCLUDE_FROM_ALL]): the library and all that lets others find it. Users
# of a shared library need Eigen alone; those of a static one link what it stands on, so its package names that too.
function(isthmus_install target export)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/isthmus)
  set(made ${PROJECT_BINARY_DIR}/package/${target})
  get_target_property(type ${target} TYPE)
  set(ISTHMUS_PC_REQUIRES_PRIVATE "")
  set(ISTHMUS_PC_LIBS_PRIVATE "")
  set(ISTHMUS_STATIC OFF)
  set(ISTHMUS_EXPORT ${export})
  if(type STREQUAL STATIC_LIBRARY)
    set(ISTHMUS_STATIC ON)
    set(ISTHMUS_PC_REQUIRES_PRIVATE "Requires.private: fmt libzip matio zlib")
    set(ISTHMUS_PC_LIBS_PRIVATE
        "Libs.private: ${ISTHMUS_OPENBLAS} -Wl,-rpath,${ISTHMUS_OPENBLAS_DIR} ${CMAKE_THREAD_LIBS_INIT}")
  endif()

  install(TARGETS ${target} EXPORT ${export} ${ARGN})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/isthmus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${ARGN})
  # Named after the export: CMake makes the files of one name for one folder in one place, and the last would stay.
  install(EXPORT ${export} FILE ${export}.cmake NAMESPACE isthmus:: DESTINATION ${package_dir} ${ARGN})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/isthmusConfig.cmake.in ${made}/isthmusConfig.cmake
                                INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(${made}/isthmusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${made}/isthmusConfig.cmake ${made}/isthmusConfigVersion.cmake DESTINATION ${package_dir} ${ARGN})
  # The prefix seen from the .pc file, so that an installed tree can be moved.
  file(RELATIVE_PATH ISTHMUS_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/isthmus.pc.in ${made}/isthmus.pc @ONLY)
  install(FILES ${made}/isthmus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${ARGN})
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR} ${ARGN})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/licenses DESTINATION ${CMAKE_INSTALL_DOCDIR} ${ARGN})
endfunction()
