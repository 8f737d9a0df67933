// Attributes of netCDF as JSON values and back, as xarray writes them. The metadata of a Zarr group (metadata.hpp) are
// made with it. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/zarr/json.hpp"
#include "model/schema.hpp"

namespace sv::zarr {

/// The element at `value` as a number; numbers that JSON lacks as "NaN", "Infinity" or "-Infinity".
Json number(Type type, const std::byte *value);
/// And back, into size_of(type) bytes. Nothing where it is none that the type can hold.
std::optional<std::vector<std::byte>> value_of(const Json &number, Type type);

/// The value of `fill_value` of an array, and back. Of a character: one byte in base64.
Json fill_json(Type type, const std::vector<std::byte> &fill);
std::optional<std::vector<std::byte>> fill_of(const Json &json, Type type);

/// Of a variable of `type`; Type::text for those of the file.
Json attribute_json(const Attribute &attribute);
/// `declared`: the type that a file of ours declares. Otherwise the type of the variable (`of`) for attributes that CF
/// defines so, such as missing_value; strings for lists of texts, int or int64 for whole numbers, double for others.
Attribute attribute_of(const std::string &name, const Json &value, std::optional<Type> declared,
                       std::optional<Type> of);
/// Whether attribute_of finds the type by itself.
bool has_type(const Attribute &attribute, std::optional<Type> of);

/// JSON's "float32", and back. A character is "null_terminated_bytes" of one byte.
Json data_type(Type type);
std::optional<Type> type_of(const Json &data_type);

/// Text as valid UTF-8: bytes that are none become the characters that Latin-1 has for them.
std::string as_utf8(std::string_view text);

}  // namespace sv::zarr
