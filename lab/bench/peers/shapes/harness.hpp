// A peer for shapes as a process: it reads a file of shapes and of placed pairs, then answers on
// standard input, a line a question:
//
//   time QUESTION PAIR REPEATS   with "nanoseconds a query", the whole pair asked REPEATS times
//   answers QUESTION PAIR        with one number for each pose
//
// or "unsupported". Questions: collide (all poses), distance and warm (poses apart, warm in their
// order), depth (poses touching). The file is written by src/shapes; words of it:
//
//   shape KIND NUMBERS...        hull and mesh: corners, triangles, then all of them
//   pair A B TOUCHING APART      then a pose of b in a's frame a line: rotation by rows, translation
#pragma once
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct ShapeText {
    std::string kind;
    std::vector<double> sizes;
    std::vector<std::array<double, 3>> points;
    std::vector<std::array<unsigned, 3>> faces;
};

using PoseNumbers = std::array<double, 12>;

struct PairText {
    size_t a, b, touching;
    std::vector<PoseNumbers> poses;
};

struct Text {
    std::vector<ShapeText> shapes;
    std::vector<PairText> pairs;
};

inline Text read_text(const char* path) {
    std::ifstream in(path);
    if (!in) { std::cerr << path << ": cannot be read\n"; std::exit(2); }
    Text text;
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "shape") {
            ShapeText shape;
            words >> shape.kind;
            if (shape.kind == "hull" || shape.kind == "mesh") {
                size_t points, faces;
                words >> points >> faces;
                shape.points.resize(points);
                shape.faces.resize(faces);
                for (auto& point : shape.points) words >> point[0] >> point[1] >> point[2];
                for (auto& face : shape.faces) words >> face[0] >> face[1] >> face[2];
            } else {
                for (double size; words >> size;) shape.sizes.push_back(size);
            }
            text.shapes.push_back(shape);
        } else if (word == "pair") {
            PairText pair;
            size_t apart;
            words >> pair.a >> pair.b >> pair.touching >> apart;
            pair.poses.resize(pair.touching + apart);
            for (auto& pose : pair.poses)
                for (auto& number : pose) in >> number;
            text.pairs.push_back(pair);
        }
    }
    return text;
}

using Clock = std::chrono::steady_clock;

// `peer.prepare(question, pair)` says whether it has such a question; `peer.ask(pose)` answers.
template <class Peer>
int serve(Peer& peer, const Text& text) {
    std::printf("ready\n");
    std::fflush(stdout);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string what, question;
        size_t index = 0, repeats = 1;
        words >> what >> question >> index >> repeats;
        const PairText& pair = text.pairs[index];
        size_t first = question == "distance" || question == "warm" ? pair.touching : 0;
        size_t end = question == "depth" ? pair.touching : pair.poses.size();
        if (!peer.prepare(question, index)) {
            std::printf("unsupported\n");
        } else if (what == "answers") {
            for (size_t pose = first; pose < end; ++pose) std::printf("%.17g ", peer.ask(pose));
            std::printf("\n");
        } else {
            double sum = 0;
            for (size_t pose = first; pose < end; ++pose) sum += peer.ask(pose);
            auto start = Clock::now();
            for (size_t round = 0; round < repeats; ++round)
                for (size_t pose = first; pose < end; ++pose) sum += peer.ask(pose);
            double took = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
            volatile double kept = sum;
            (void)kept;
            std::printf("%.17g\n", end > first ? took / double(repeats * (end - first)) : 0.0);
        }
        std::fflush(stdout);
    }
    return 0;
}
