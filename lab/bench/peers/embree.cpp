// Embree: the first hit of a ray on model a; rays come from a file, six numbers a line.
#include "harness.hpp"
#include <embree3/rtcore.h>
#include <limits>

struct Embree {
    RTCScene scene = nullptr;
    std::string file;
    std::vector<std::array<float, 6>> rays;

    bool prepare(const std::string& asked, const std::string& parameter) {
        if (asked != "ray") return false;
        if (file != parameter) {
            file = parameter;
            rays.clear();
            std::ifstream in(file);
            std::array<float, 6> ray;
            while (in >> ray[0] >> ray[1] >> ray[2] >> ray[3] >> ray[4] >> ray[5]) rays.push_back(ray);
        }
        return true;
    }

    double ask(size_t index) {
        const auto& ray = rays[index];
        RTCRayHit hit{};
        hit.ray.org_x = ray[0], hit.ray.org_y = ray[1], hit.ray.org_z = ray[2];
        hit.ray.dir_x = ray[3], hit.ray.dir_y = ray[4], hit.ray.dir_z = ray[5];
        hit.ray.tfar = std::numeric_limits<float>::infinity();
        hit.ray.mask = -1;
        hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene, &context, &hit);
        return hit.hit.geomID == RTC_INVALID_GEOMETRY_ID ? -1.0 : hit.ray.tfar;
    }
};

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    Case data = read_case(argv[1]);
    RTCDevice device = rtcNewDevice(nullptr);
    size_t before = allocated();
    auto start = Clock::now();
    Embree peer;
    peer.scene = rtcNewScene(device);
    RTCGeometry mesh = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = static_cast<float*>(rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, data.a.vertices.size()));
    for (auto& v : data.a.vertices)
        for (double x : v) *vertices++ = static_cast<float>(x);
    auto* indices = static_cast<unsigned*>(rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, data.a.triangles.size()));
    for (auto& t : data.a.triangles)
        for (unsigned i : t) *indices++ = i;
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(peer.scene, mesh);
    rtcCommitScene(peer.scene);
    double build = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    return serve(peer, build, allocated() - before);
}
