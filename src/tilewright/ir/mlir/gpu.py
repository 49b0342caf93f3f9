"""The text of the ops of `gpu`: modules, functions, launches, and what a thread asks about itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from xdsl.dialects import gpu
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    SymbolRefAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from tilewright.ir.mlir.spelling import (
    UPPER_BOUND,
    Spelling,
    of_words,
    operands_then_types,
    print_operands_then_types,
    print_typed_operands,
    print_upper_bound,
    typed_operands,
    upper_bound,
)

ARGUMENTS = "arg_attrs"
TARGETS, HANDLER = "targets", "offloadingHandler"
# The memory that a function has for itself, which stands behind its arguments and counts among them here.
ATTRIBUTIONS = ("workgroup", "private")


def _read_module(parser: Parser) -> Operation:
    name = parser.parse_symbol_name()
    said: dict[str, Attribute] = {}
    if parser.parse_optional_punctuation("<"):
        said[HANDLER] = parser.parse_attribute()
        parser.parse_punctuation(">")
    targets = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_attribute)
    if targets is not None:
        said[TARGETS] = ArrayAttr(targets)
    attributes = parser.parse_optional_attr_dict_with_keyword()
    body = parser.parse_region()
    found = gpu.ModuleOp.create(properties={"sym_name": name}, regions=[body])
    found.attributes.update({**said, **(attributes.data if attributes else {})})
    return found


def _show_module(op: gpu.ModuleOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    if HANDLER in op.attributes:
        printer.print_string(" <")
        printer.print_attribute(op.attributes[HANDLER])
        printer.print_string(">")
    if isinstance(targets := op.attributes.get(TARGETS), ArrayAttr):
        printer.print_string(" ")
        printer.print_attribute(targets)
    printer.print_op_attributes(op.attributes, reserved_attr_names=(TARGETS, HANDLER), print_keyword=True)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False, print_empty_block=False)


# ---- functions


def _read_function(parser: Parser) -> Operation:
    name = parser.parse_symbol_name()
    arguments = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _read_argument(parser))
    outputs = _read_outputs(parser)
    counts: dict[str, Attribute] = {}
    for word in ATTRIBUTIONS:
        if parser.parse_optional_keyword(word):
            own = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _read_argument(parser))
            arguments += own
            counts[word] = IntegerAttr(len(own), i32)
    properties: dict[str, Attribute] = {} if parser.parse_optional_keyword("kernel") is None else {"kernel": UnitAttr()}
    written = parser.parse_optional_attr_dict_with_keyword()
    body = parser.parse_region([argument for argument, _ in arguments])
    types = [argument.type for argument, _ in arguments]
    properties["function_type"] = FunctionType.from_lists(types, outputs)
    attributes: dict[str, Attribute] = {"sym_name": name, **counts, **(written.data if written else {})}
    if any(said for _, said in arguments):
        attributes[ARGUMENTS] = ArrayAttr(DictionaryAttr(said) for _, said in arguments)
    return gpu.FuncOp.create(properties=properties, attributes=attributes, regions=[body])


def _read_argument(parser: Parser) -> tuple[Parser.Argument, dict[str, Attribute]]:
    argument = parser.parse_argument()
    said = parser.parse_optional_dictionary_attr_dict()
    argument.location = parser.parse_optional_location()
    return argument, said


def _read_outputs(parser: Parser) -> Sequence[Attribute]:
    if not parser.parse_optional_punctuation("->"):
        return []
    listed = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    return [parser.parse_type()] if listed is None else listed


def _show_function(op: gpu.FuncOp, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    arguments = list(enumerate(op.body.block.args if op.body.blocks else ()))
    own = {word: attributed(op, word) for word in ATTRIBUTIONS}
    first = len(arguments) - sum(own.values())
    _show_arguments(op, arguments[:first], printer)
    if op.function_type.outputs.data:
        printer.print_string(" -> ")
        with printer.in_parens():
            printer.print_list(op.function_type.outputs.data, printer.print_attribute)
    for word, count in own.items():
        if count:
            printer.print_string(f" {word}")
            _show_arguments(op, arguments[first : first + count], printer)
        first += count
    printer.print_string(" kernel" if op.kernel else "")
    reserved = ("sym_name", ARGUMENTS, *ATTRIBUTIONS)
    printer.print_op_attributes(op.attributes, reserved_attr_names=reserved, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(op.body, print_entry_block_args=False, print_empty_block=False)


def attributed(op: gpu.FuncOp, word: str) -> int:
    """How many memories of its own the function has, `workgroup` or `private`."""
    found = op.attributes.get(word)
    return found.value.data if isinstance(found, IntegerAttr) else 0


def _show_arguments(op: gpu.FuncOp, arguments: Sequence[tuple[int, BlockArgument]], printer: Printer) -> None:
    said = op.attributes.get(ARGUMENTS)
    with printer.in_parens():
        for place, (i, argument) in enumerate(arguments):
            printer.print_string(", " if place else "")
            printer.print_block_argument(argument)
            if isinstance(said, ArrayAttr) and isinstance(of_this := said.data[i], DictionaryAttr):
                printer.print_op_attributes(of_this.data)


def _read_return(parser: Parser) -> Operation:
    return gpu.ReturnOp(operands_then_types(parser))


def _show_return(op: gpu.ReturnOp, printer: Printer) -> None:
    print_operands_then_types(op.args, printer)


# ---- launches


def _read_launch(parser: Parser) -> Operation:
    start = parser.pos
    waits = parser.parse_optional_keyword("async") is not None
    awaited, stream = _read_tokens(parser), _read_stream(parser)
    kernel = parser.parse_attribute()
    assert isinstance(kernel, SymbolRefAttr)
    clusters = _read_sizes(parser, "clusters")
    blocks, threads = _read_sizes(parser, "blocks"), _read_sizes(parser, "threads")
    if len(blocks) != 3 or len(threads) != 3:
        parser.raise_error("expected 'blocks in (%x, %y, %z) threads in (%x, %y, %z)'", start, parser.pos)
    kind = parser.parse_type() if parser.parse_optional_punctuation(":") else IndexType()
    sizes = [[parser.resolve_operand(size, kind)] for size in (*blocks, *threads, *clusters)]
    shared = parser.parse_optional_keyword("dynamic_shared_memory_size")
    memory = [parser.resolve_operand(parser.parse_unresolved_operand(), i32)] if shared else []
    arguments = typed_operands(parser) if parser.parse_optional_keyword("args") else []
    groups: Sequence[Sequence[SSAValue]] = [awaited, *sizes, *_missing(9 - len(sizes)), memory, arguments, stream]
    segments = DenseArrayBase.from_list(i32, [len(group) for group in groups])
    return gpu.LaunchFuncOp.create(
        operands=[operand for group in groups for operand in group],
        result_types=[gpu.AsyncTokenType()] * waits,
        properties={"kernel": kernel, "operandSegmentSizes": segments},
        attributes=parser.parse_optional_attr_dict(),
    )


def _missing(count: int) -> list[list[SSAValue]]:
    return [[] for _ in range(count)]


def _read_tokens(parser: Parser) -> list[SSAValue]:
    names = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)
    return [parser.resolve_operand(name, gpu.AsyncTokenType()) for name in names or ()]


def _read_stream(parser: Parser) -> list[SSAValue]:
    """`<%stream : T>`, on which the launch waits."""
    if not parser.parse_optional_punctuation("<"):
        return []
    name = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    found = parser.resolve_operand(name, parser.parse_type())
    parser.parse_punctuation(">")
    return [found]


def _read_sizes(parser: Parser, keyword: str) -> list[UnresolvedOperand]:
    if parser.parse_optional_keyword(keyword) is None:
        return []
    parser.parse_keyword("in")
    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)


def _show_launch(op: gpu.LaunchFuncOp, printer: Printer) -> None:
    _show_tokens(op.asyncDependencies, op.asyncToken is not None, printer)
    if op.asyncObject is not None:
        printer.print_string(" <")
        printer.print_ssa_value(op.asyncObject)
        printer.print_string(" : ")
        printer.print_attribute(op.asyncObject.type)
        printer.print_string(">")
    printer.print_string(" ")
    printer.print_attribute(op.kernel)
    clusters = [size for size in (op.clusterSizeX, op.clusterSizeY, op.clusterSizeZ) if size]
    _show_sizes(" clusters in ", clusters, printer)
    _show_sizes(" blocks in ", [op.gridSizeX, op.gridSizeY, op.gridSizeZ], printer)
    _show_sizes(" threads in ", [op.blockSizeX, op.blockSizeY, op.blockSizeZ], printer)
    if not isinstance(op.gridSizeX.type, IndexType):
        printer.print_string(" : ")
        printer.print_attribute(op.gridSizeX.type)
    if op.dynamicSharedMemorySize:
        printer.print_string(" dynamic_shared_memory_size ")
        printer.print_ssa_value(op.dynamicSharedMemorySize)
    if op.kernelOperands:
        printer.print_string(" args")
        print_typed_operands(op.kernelOperands, printer)
    printer.print_op_attributes(op.attributes)


def _show_tokens(awaited: Sequence[SSAValue], gives_one: bool, printer: Printer) -> None:
    printer.print_string(" async" if gives_one else "")
    if awaited:
        printer.print_string(" ")
        with printer.in_square_brackets():
            printer.print_list(awaited, printer.print_ssa_value)


def _show_sizes(words: str, sizes: Sequence[SSAValue], printer: Printer) -> None:
    if sizes:
        printer.print_string(words)
        printer.print_operands(sizes)


def _read_wait(parser: Parser) -> Operation:
    gives_one = parser.parse_optional_keyword("async") is not None
    awaited = _read_tokens(parser)
    return gpu.WaitOp.create(operands=awaited, result_types=[gpu.AsyncTokenType()] * gives_one)


def _show_wait(op: gpu.WaitOp, printer: Printer) -> None:
    _show_tokens(op.asyncDependencies, op.asyncToken is not None, printer)


# ---- what a thread asks


def _of_dimension(op: type[Operation]) -> Spelling:
    def read(parser: Parser) -> Operation:
        word = parser.expect(lambda: parser.parse_optional_keyword_in({"x", "y", "z"}), "expected x, y or z")
        dimension = gpu.DimensionAttr(gpu.DimensionEnum(word))
        attributes = {**upper_bound(parser), **parser.parse_optional_attr_dict()}
        return op.create(result_types=[IndexType()], properties={"dimension": dimension}, attributes=attributes)

    def show(found: Operation, printer: Printer) -> None:
        dimension = found.properties["dimension"]
        assert isinstance(dimension, gpu.DimensionAttr)
        printer.print_string(f" {dimension.data.value}")
        print_upper_bound(found, printer)
        printer.print_op_attributes(found.attributes, reserved_attr_names=(UPPER_BOUND,))

    return Spelling(show, read)


_SUBGROUP = (gpu.SubgroupIdOp, gpu.NumSubgroupsOp, gpu.SubgroupSizeOp)
SPELLINGS: Mapping[type[Operation], Spelling] = MappingProxyType(
    {
        gpu.ModuleOp: Spelling(_show_module, _read_module),
        gpu.FuncOp: Spelling(_show_function, _read_function),
        gpu.ReturnOp: Spelling(_show_return, _read_return),
        gpu.LaunchFuncOp: Spelling(_show_launch, _read_launch),
        gpu.WaitOp: Spelling(_show_wait, _read_wait),
        gpu.BarrierOp: of_words(gpu.BarrierOp),
        **{op: _of_dimension(op) for op in (gpu.ThreadIdOp, gpu.BlockIdOp, gpu.BlockDimOp, gpu.GridDimOp)},
        gpu.GlobalIdOp: _of_dimension(gpu.GlobalIdOp),
        gpu.LaneIdOp: of_words(gpu.LaneIdOp, IndexType()),
        **{op: of_words(op, IndexType(), says_type=True) for op in _SUBGROUP},
    }
)
