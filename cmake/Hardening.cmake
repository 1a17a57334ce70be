# What makes a bug in memory handling hard to exploit, for every target at once. Debug builds go without: there the
# sanitizers look closer, and they do not mix with _FORTIFY_SOURCE. tests/reliability/hardened looks at the result.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)

# Level 3 also knows sizes that are computed at run time; compilers before GCC 12 have level 2 only.
set(fortify 2)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU OR CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
  set(fortify 3)
endif()
set(hardening -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify})
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|i[3-6]86)$")
  list(APPEND hardening -fcf-protection)
endif()
add_compile_options("$<$<NOT:$<CONFIG:Debug>>:${hardening}>")
add_link_options("$<$<NOT:$<CONFIG:Debug>>:LINKER:-z,relro,-z,now,-z,noexecstack>")
