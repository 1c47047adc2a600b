// A peer as a process: it loads a case folder, says what its models cost, then answers on standard
// input, a line a question:
//
//   collide FIRST COUNT | contacts FIRST COUNT | distance FIRST COUNT | within:T FIRST COUNT | ray:FILE FIRST COUNT
//
// with one line of "nanoseconds answer" pairs, or "unsupported". The driver (src/peers) lets all
// peers take turns, a few poses each.
#pragma once
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <malloc.h>
#include <sstream>
#include <string>
#include <vector>

struct Soup {
    std::vector<std::array<double, 3>> vertices;
    std::vector<std::array<unsigned, 3>> triangles;
};

// Rotation row by row, then translation.
using PoseNumbers = std::array<double, 12>;

struct Case {
    Soup a, b;
    std::vector<std::array<PoseNumbers, 2>> poses;
};

inline Soup read_obj(const std::string& path) {
    std::ifstream in(path);
    if (!in) { std::cerr << path << ": cannot be read\n"; std::exit(2); }
    Soup soup;
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "v") {
            std::array<double, 3> v;
            words >> v[0] >> v[1] >> v[2];
            soup.vertices.push_back(v);
        } else if (kind == "f") {
            std::array<unsigned, 3> f;
            for (auto& index : f) {
                std::string word;
                words >> word;
                index = static_cast<unsigned>(std::stoul(word)) - 1;
            }
            soup.triangles.push_back(f);
        }
    }
    return soup;
}

inline Case read_case(const std::string& folder) {
    Case out;
    out.a = read_obj(folder + "/a.obj");
    out.b = read_obj(folder + "/b.obj");
    std::ifstream in(folder + "/poses.txt");
    std::string line;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        std::array<PoseNumbers, 2> poses;
        for (auto& pose : poses)
            for (auto& number : pose) words >> number;
        if (words) out.poses.push_back(poses);
    }
    return out;
}

// What malloc has given out.
inline size_t allocated() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

using Clock = std::chrono::steady_clock;

// `peer.ask(kind, parameter, index)` returns the answer as a number and may time itself by calling
// nothing more than its library.
template <class Peer>
int serve(Peer& peer, double build_ms, size_t bytes) {
    std::printf("ready %.3f %zu\n", build_ms, bytes);
    std::fflush(stdout);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string question;
        size_t first = 0, count = 0;
        words >> question >> first >> count;
        std::string parameter;
        if (auto colon = question.find(':'); colon != std::string::npos) {
            parameter = question.substr(colon + 1);
            question.resize(colon);
        }
        if (!peer.prepare(question, parameter)) {
            std::printf("unsupported\n");
        } else {
            for (size_t index = first; index < first + count; ++index) {
                auto start = Clock::now();
                double answer = peer.ask(index);
                auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
                std::printf("%lld %.17g ", static_cast<long long>(took), answer);
            }
            std::printf("\n");
        }
        std::fflush(stdout);
    }
    return 0;
}
