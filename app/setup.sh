# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What app/run and tests/run share, to be sourced: Debian packages, libtorch, configuring and building.
# What takes long leaves a stamp in the build folder, so that a second run is quick.
# The caller sets -euo pipefail.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(realpath -m "${SUTURE_BUILD:-$root/build}")
venv=$build/venv
caller=$(basename "$(dirname "$0")")
torch_version=2.13.0
torch_index=https://download.pytorch.org/whl/cpu
packages=(
    cmake ninja-build g++ ccache pkg-config git python3 python3-venv
    qt6-base-dev qt6-svg-dev qt6-qpa-plugins libqcustomplot-dev fonts-dejavu-core
    nlohmann-json3-dev libcli11-dev libpcre2-dev libicu-dev libsentencepiece-dev libssl-dev
)
export CCACHE_BASEDIR=$root   # so that other build folders and other clones find what this one compiled

say() { printf '%s\n' "$*" >&2; }
fail() { say "$caller/run: $*"; exit 1; }

# once NAME KEY COMMAND…: runs COMMAND unless it succeeded before under the same KEY.
once() {
    local stamp=$build/setup/$1 key=$2
    if [[ -f $stamp && $(<"$stamp") == "$key" ]]; then return; fi
    "${@:3}"
    mkdir -p "$build/setup"
    printf '%s' "$key" >"$stamp"
}

# logged NAME SENTENCE COMMAND…: all output goes to NAME.log in the build folder; a failure shows its end and SENTENCE.
logged() {
    local log=$build/$1.log sentence=$2
    mkdir -p "$build"
    if "${@:3}" </dev/null 2>&1 | tee "$log" | show_steps; then return; fi
    tail -n 40 "$log" >&2
    fail "$sentence The whole log is $log"
}

# One line when ninja has something to build; on a terminal it counts the steps. Everything else is swallowed.
show_steps() {
    local line building=false
    while IFS= read -r line; do
        if [[ ! $line =~ ^\[([0-9]+/[0-9]+)\] || $line == *"globbed directories"* ]]; then continue; fi
        if [[ -t 2 ]]; then printf '\rBuilding … %s ' "${BASH_REMATCH[1]}" >&2
        elif [[ $building == false ]]; then say "Building …"; fi
        building=true
    done
    if [[ -t 2 && $building == true ]]; then say; fi
}

# When root, the missing packages; else the line that installs them. Elsewhere than on Debian CMake names what is missing.
install_packages() {
    local missing=() package installed
    if ! command -v dpkg-query >/dev/null; then return; fi
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
    for package in "${packages[@]}"; do
        if [[ $'\n'$installed$'\n' != *$'\n'"$package installed"$'\n'* ]]; then missing+=("$package"); fi
    done
    if ((${#missing[@]} == 0)); then return; fi
    if ((EUID != 0)); then fail "Debian packages are missing. Install them, then start again: sudo apt-get install ${missing[*]}"; fi
    say "Installing Debian packages …"
    logged apt "apt-get could not install: ${missing[*]}." apt_install "${missing[@]}"
}

apt_install() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get update && apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
}

# Prints the folder of TorchConfig.cmake that the caller chose by Torch_DIR, by CMAKE_PREFIX_PATH or in the build folder's cache.
own_torch() {
    local prefix folder cache=$build/CMakeCache.txt
    if [[ -n ${Torch_DIR:-} ]]; then
        if [[ ! -f $Torch_DIR/TorchConfig.cmake ]]; then
            fail "Torch_DIR is $Torch_DIR, which holds no TorchConfig.cmake. It lies in share/cmake/Torch of a libtorch."
        fi
        realpath "$Torch_DIR"
        return
    fi
    local IFS=':;'
    for prefix in ${CMAKE_PREFIX_PATH:-}; do
        for folder in "$prefix" "$prefix"/{Torch,cmake/Torch,share/cmake/Torch,lib/cmake/Torch}; do
            if [[ -f $folder/TorchConfig.cmake ]]; then realpath "$folder"; return; fi
        done
    done
    folder=$(sed -n 's/^Torch_DIR:[A-Z]*=//p' "$cache" 2>/dev/null || true)
    if [[ -f $folder/TorchConfig.cmake && $folder != "$venv"/* ]]; then printf '%s\n' "$folder"; fi
}

wheel_torch() { compgen -G "$venv/lib/python3*/site-packages/torch/share/cmake/Torch" || true; }

# The CPU wheel of torch in a virtual environment: C++ headers and libraries for the build, a Python for the tests.
# "+cpu" keeps pip from taking a CUDA build of several gigabytes.
fetch_torch() {
    local source python
    say "Fetching libtorch $torch_version (CPU, 200 MB) …"
    mkdir -p "$build"
    : >"$build/torch.log"
    for source in "" --index-url="$torch_index"; do
        for python in $(usable_pythons); do
            if pip_torch "$python" ${source:+"$source"} >>"$build/torch.log" 2>&1 </dev/null; then return; fi
        done
    done
    tail -n 10 "$build/torch.log" >&2
    fail "no torch $torch_version+cpu for $(usable_pythons | tr '\n' ' ')in pip's sources or at $torch_index." \
        "Take a libtorch (2.5 or newer) of your own by Torch_DIR=FOLDER_OF_TorchConfig.cmake $caller/run. The whole log is $build/torch.log"
}

pip_torch() {
    "$1" -m venv --clear "$venv" &&
        "$venv/bin/python" -m pip --disable-pip-version-check install --no-deps --no-compile "${@:2}" "torch==$torch_version+cpu" &&
        [[ -n $(wheel_torch) ]]
}

# The first Python 3 of each version: a wheel may fit another than the one that comes first in PATH.
usable_pythons() {
    local python version seen=" "
    for python in python3 /usr/bin/python3 python3.{14,13,12,11,10}; do
        version=$("$python" -c 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
        if [[ $seen != *" $version "* ]]; then command -v "$python"; fi
        seen+="$version "
    done
}

need_wheel() {
    if [[ -z $(wheel_torch) ]]; then rm -f "$build"/setup/{torch,python}; fi
    once torch "$torch_version" fetch_torch
}

# The packages and libtorch; sets torch_dir.
set_up() {
    install_packages
    torch_dir=$(own_torch)
    if [[ -z $torch_dir ]]; then
        need_wheel
        torch_dir=$(wheel_torch)
    fi
}

# configure FOLDER OPTION…
configure() {
    local name=configure${1#"$build"}
    name=${name//\//-}
    if [[ ! -f $1/build.ninja ]]; then rm -f "$build/setup/$name-$caller"; fi
    once "$name-$caller" "$torch_dir ${*:2}" logged "$name" "CMake could not configure the build." \
        cmake -S "$root" -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTorch_DIR="$torch_dir" "${@:2}"
}

# compile FOLDER [TARGET…]
compile() {
    local name=build${1#"$build"}
    logged "${name//\//-}" "The build failed." ninja -C "$1" -j "$(nproc)" "${@:2}"
}
