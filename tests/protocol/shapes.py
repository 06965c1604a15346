"""The types of the wire as the page for client authors spells them."""

from msgspec import UNSET, Struct, inspect


def fields_of(kind: type[Struct]) -> dict[str, str]:
    """Field to type; the name of a field that may be left out ends in `?`."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return {
        field.encode_name + ("" if field.required else "?"): spelled(field.type)
        for field in info.fields
    }


_SCALARS: dict[type[inspect.Type], str] = {
    inspect.IntType: "number",
    inspect.StrType: "text",
    inspect.BoolType: "bool",
    inspect.NoneType: "null",
}


def spelled(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata(type=inner):
            return spelled(inner)
        case inspect.IntType(ge=0, le=1):
            return "seat"
        case inspect.StructType(cls=cls):
            return cls.__name__
        case inspect.LiteralType(values=values):
            return " or ".join(f'"{value}"' for value in values)
        case inspect.ListType(item_type=item):
            return f"list of {spelled(item)}"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(map(spelled, items))}]"
        case inspect.DictType(value_type=value):
            return f"map to {spelled(value)}"
        case inspect.UnionType(types=types):
            return _spelled_union(types)
    return _SCALARS[type(kind)]


def _spelled_union(types: tuple[inspect.Type, ...]) -> str:
    if all(isinstance(t, inspect.StructType) and t.tag_field for t in types):
        return "event"
    names = [spelled(t) for t in types if spelled_out(t)]
    return " or ".join(sorted(names, key="null".__eq__))


def spelled_out(kind: inspect.Type) -> bool:
    return not (isinstance(kind, inspect.CustomType) and kind.cls is type(UNSET))


def parts_of(kinds: tuple[type[Struct], ...]) -> set[type[Struct]]:
    """Every Struct that the messages carry and that is no message itself."""
    found: set[type[Struct]] = set()
    waiting: list[inspect.Type] = list(inspect.multi_type_info(kinds))
    while waiting:
        match waiting.pop():
            case inspect.StructType(cls=cls, fields=fields) if cls not in found:
                found.add(cls)
                waiting += [field.type for field in fields]
            case inspect.ListType(item_type=item):
                waiting.append(item)
            case inspect.TupleType(item_types=items):
                waiting += items
            case inspect.DictType(value_type=value):
                waiting.append(value)
            case inspect.UnionType(types=types):
                waiting += types
    return found - set(kinds)
