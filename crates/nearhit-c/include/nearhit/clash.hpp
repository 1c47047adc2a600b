// nearhit for C++17: clashes of the parts of an assembly. Part of nearhit.hpp, which includes it.
// Licence: MIT or Apache-2.0, at your option.
#ifndef NEARHIT_CLASH_HPP
#define NEARHIT_CLASH_HPP
#ifndef NEARHIT_HPP
#error "include nearhit.hpp: nearhit/clash.hpp is a part of it"
#endif

namespace nearhit {

using Clash = nearhit_clash;
using ClashOptions = nearhit_clash_options;

/// Parts with names and places. Threads wait for each other.
class Assembly {
public:
    using Handle = nearhit_assembly;
    explicit Assembly(Handle* handle) : handle_(handle) {}
    Assembly() : Assembly(try_new().value().handle_.release()) {}
    static Result<Assembly> try_new() {
        return detail::made<Assembly>([](Handle** out, nearhit_error* error) { return nearhit_assembly_new(out, error); });
    }
    /// Its number.
    std::size_t add(const std::string& name, const Model& model, const Pose& world_from_part = {}) {
        return try_add(name, model, world_from_part).value();
    }
    Result<std::size_t> try_add(const std::string& name, const Model& model, const Pose& world_from_part = {}) {
        return detail::asked<std::size_t>([&](std::size_t* part, nearhit_error* error) {
            return nearhit_assembly_add(get(), name.c_str(), model.get(), &world_from_part, part, error);
        });
    }
    std::size_t size() const noexcept { return nearhit_assembly_count(get()); }
    /// All pairs that clash, worst first.
    std::vector<Clash> clashes(const ClashOptions& options = {}) const { return try_clashes(options).value(); }
    Result<std::vector<Clash>> try_clashes(const ClashOptions& options = {}) const {
        nearhit_error error;
        nearhit_clash_list* list = nullptr;
        if (nearhit_clash_list_new(&list, &error) != NEARHIT_STATUS_OK) return Error(error);
        const detail::Owned<nearhit_clash_list, nearhit_clash_list_free> owned(list);
        if (nearhit_assembly_clashes(get(), &options, list, &error) != NEARHIT_STATUS_OK) return Error(error);
        std::size_t count = 0;
        const Clash* first = nearhit_clash_list_clashes(list, &count);
        return std::vector<Clash>(first, first + count);
    }
    Handle* get() const noexcept { return handle_.get(); }

private:
    detail::Owned<Handle, nearhit_assembly_free> handle_;
};

}  // namespace nearhit

#endif  // NEARHIT_CLASH_HPP
