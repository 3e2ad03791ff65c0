# SPDX-License-Identifier: GPL-3.0-or-later
# Everything that others make. What is missing is named with its Debian package.

macro(suture_require name package)
    find_package(${name} ${ARGN})
    if(NOT ${name}_FOUND)
        message(FATAL_ERROR "${name} was not found. On Debian 12: apt-get install ${package}")
    endif()
endmacro()

suture_require(nlohmann_json nlohmann-json3-dev QUIET)
suture_require(CLI11 libcli11-dev QUIET)
suture_require(OpenSSL libssl-dev QUIET COMPONENTS Crypto)
suture_require(ICU libicu-dev QUIET COMPONENTS uc)
suture_require(PkgConfig pkg-config QUIET)
foreach(module libpcre2-8:libpcre2-dev sentencepiece:libsentencepiece-dev)
    string(REPLACE ":" ";" pair ${module})
    list(GET pair 0 name)
    list(GET pair 1 package)
    string(MAKE_C_IDENTIFIER ${name} id)
    pkg_check_modules(${id} QUIET IMPORTED_TARGET ${name})
    if(NOT ${id}_FOUND)
        message(FATAL_ERROR "${name} was not found. On Debian 12: apt-get install ${package}")
    endif()
endforeach()

# Torch: its own flags stay out of ours; only rooms that compute link it. Kineto is noise for us.
find_package(Torch QUIET)
if(NOT TORCH_LIBRARY AND NOT TARGET torch)
    message(FATAL_ERROR "libtorch was not found. Point Torch_DIR at the folder that holds TorchConfig.cmake, for example\n"
        "  -DTorch_DIR=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)')/Torch")
endif()
if(Torch_VERSION AND Torch_VERSION VERSION_LESS 2.5)
    message(FATAL_ERROR "libtorch ${Torch_VERSION} (${Torch_DIR}) is too old: Suture needs 2.5 or newer, because older ones have no "
        "grouped-query attention and no float16 arithmetic on the CPU. Debian 12's own libtorch is 1.13. Point Torch_DIR at a newer one.")
endif()
message(STATUS "libtorch ${Torch_VERSION}: ${Torch_DIR}")
add_library(suture_torch INTERFACE)
target_include_directories(suture_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
target_link_libraries(suture_torch INTERFACE ${TORCH_LIBRARIES})

if(SUTURE_GUI)
    suture_require(Qt6 "qt6-base-dev libqt6svg6-dev" QUIET COMPONENTS Widgets PrintSupport Svg Concurrent Test)
    suture_require(QCustomPlotQt6 libqcustomplot-dev QUIET)
endif()
