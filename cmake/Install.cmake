# cmake --install: headers, library, find_package(isthmus) and pkg-config.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/isthmus)

install(TARGETS isthmus EXPORT isthmusTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/isthmus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT isthmusTargets NAMESPACE isthmus:: DESTINATION ${config_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/isthmusConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/isthmusConfig.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/isthmusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/isthmusConfig.cmake ${PROJECT_BINARY_DIR}/isthmusConfigVersion.cmake
        DESTINATION ${config_dir})
# The prefix seen from the .pc file, so that an installed tree can be moved.
file(RELATIVE_PATH ISTHMUS_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/cmake/isthmus.pc.in ${PROJECT_BINARY_DIR}/isthmus.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/isthmus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
