"""Small functions that the emitted text may need; each is written into a source that uses it, and only there."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.targets.c_emitter.narrow import OPEN

# {function} stands for the table's words before a device function.
HELPERS: Mapping[str, str] = {
    "tw_bits": """template <class T, class S> {function} T tw_bits(S from) {{
  static_assert(sizeof(T) == sizeof(S), "a bitcast keeps the size");
  union {{ S from; T to; }} bits = {{from}};
  return bits.to;
}}""",
    "tw_whole": """template <class T, class S> {function} T tw_whole(S x) {{
  const T high = T(-1) < T(0) ? T(~0ull >> (65 - 8 * sizeof(T))) : T(-1);
  const T low = T(-1) < T(0) ? T(-high - 1) : T(0);
  return x != x ? T(0) : x <= S(low) ? low : x >= S(high) ? high : T(x);
}}""",
    "tw_open": OPEN,
    # The least number has no opposite: by -1 it is itself, of which C's own division says nothing.
    "tw_quotient": """template <class T> {function} T tw_quotient(T a, T b) {{
  return b == (T)-1 ? (T)(0ull - (unsigned long long)a) : a / b;
}}""",
    "tw_remainder": """template <class T> {function} T tw_remainder(T a, T b) {{
  return b == (T)-1 ? (T)0 : a % b;
}}""",
    "tw_floordiv": """template <class T> {function} T tw_floordiv(T a, T b) {{
  if (b == (T)-1) return (T)(0ull - (unsigned long long)a);
  return a / b - ((a % b != 0) & ((a < 0) != (b < 0)));
}}""",
    "tw_ceildiv": """template <class T> {function} T tw_ceildiv(T a, T b) {{
  if ((T)-1 < (T)0 && b == (T)-1) return (T)(0ull - (unsigned long long)a);
  return a / b + ((a % b != 0) & ((a < 0) == (b < 0)));
}}""",
    "tw_min": """template <class T> {function} T tw_min(T a, T b) {{
  return b < a ? b : a;
}}""",
    "tw_max": """template <class T> {function} T tw_max(T a, T b) {{
  return a < b ? b : a;
}}""",
    "tw_ordered": """template <class T> {function} bool tw_ordered(T a, T b) {{
  return (a == a) & (b == b);
}}""",
    "tw_apart": """template <class T> {function} bool tw_apart(T a, T b) {{
  return (a < b) | (a > b);
}}""",
    # Of floats; a zero with a sign is the lower one.
    **{
        name: f"""template <class T> {{function}} T {name}(T a, T b) {{{{
  return a != a ? {lost[0]} : b != b ? {lost[1]} : {first} || (a == b && signbit(float({signed}))) ? b : a;
}}}}"""
        for name, lost, first, signed in (
            ("tw_maximum", "ab", "a < b", "a"),
            ("tw_minimum", "ab", "b < a", "b"),
            ("tw_maxnum", "ba", "a < b", "a"),
            ("tw_minnum", "ba", "b < a", "b"),
        )
    },
}

# Instructions that CUDA C++ has no word for.
PTX: Mapping[str, str] = {
    "tw_remote": """template <class T> {function} T* tw_remote(T* at, int rank) {{
  T* there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(at), "r"(rank));
  return there;
}}""",
    "tw_cluster_sync": """{function} void tw_cluster_sync() {{
  asm volatile("barrier.cluster.arrive.aligned;\\nbarrier.cluster.wait.aligned;" ::: "memory");
}}""",
    **{
        f"tw_cluster_{name}": f"""{{function}} void tw_cluster_{name}() {{{{
  asm volatile("barrier.cluster.{word};" ::: "memory");
}}}}"""
        for name, word in (
            ("arrive_release", "arrive.release"),
            ("arrive_relaxed", "arrive.relaxed"),
            ("wait", "wait.acquire"),
        )
    },
    "tw_prmt": """{function} unsigned int tw_prmt(unsigned int x, unsigned int y, unsigned int digits) {{
  unsigned int found;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(found) : "r"(x), "r"(y), "r"(digits));
  return found;
}}""",
    "tw_lop3": """template <int table>
{function} unsigned int tw_lop3(unsigned int a, unsigned int b, unsigned int c) {{
  unsigned int found;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(found) : "r"(a), "r"(b), "r"(c), "n"(table));
  return found;
}}""",
    "tw_bar_sync": """{function} void tw_bar_sync(int barrier, int threads) {{
  asm volatile("bar.sync %0, %1;" :: "r"(barrier), "r"(threads) : "memory");
}}""",
    "tw_bar_arrive": """{function} void tw_bar_arrive(int barrier, int threads) {{
  asm volatile("bar.arrive %0, %1;" :: "r"(barrier), "r"(threads) : "memory");
}}""",
    **{
        f"tw_registers_{kind}": "template <int count> {function} void tw_registers_"
        + kind
        + '() {{\n#if __CUDA_ARCH__ >= 900\n  asm volatile("setmaxnreg.'
        + kind
        + '.sync.aligned.u32 %0;" :: "n"(count));\n#endif\n}}'
        for kind in ("inc", "dec")
    },
}

_LOAD = """template <class T> {{function}} T tw_load_{order}_{scope}(const T* at) {{{{
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "32 or 64 bits");
  union {{{{ unsigned int narrow; unsigned long long wide; T value; }}}} bits;
  if (sizeof(T) == 4) asm volatile("ld.{order}.{scope}.u32 %0, [%1];" : "=r"(bits.narrow) : "l"(at) : "memory");
  else asm volatile("ld.{order}.{scope}.u64 %0, [%1];" : "=l"(bits.wide) : "l"(at) : "memory");
  return bits.value;
}}}}"""
_STORE = """template <class T, class S> {{function}} void tw_store_{order}_{scope}(T* at, S value) {{{{
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "32 or 64 bits");
  union {{{{ unsigned int narrow; unsigned long long wide; T value; }}}} bits;
  bits.value = value;
  if (sizeof(T) == 4) asm volatile("st.{order}.{scope}.u32 [%0], %1;" :: "l"(at), "r"(bits.narrow) : "memory");
  else asm volatile("st.{order}.{scope}.u64 [%0], %1;" :: "l"(at), "l"(bits.wide) : "memory");
}}}}"""
_SWAP = """template <class T, class S> {function} T tw_swap(T* at, S expected, S value) {{
  typedef unsigned long long wide;
  if (sizeof(T) == 4) return (T)atomicCAS((unsigned int*)at, (unsigned int)expected, (unsigned int)value);
  return (T)atomicCAS((wide*)at, (wide)expected, (wide)value);
}}"""
_SCOPES = ("cta", "cluster", "gpu", "sys")

# Accesses with an order and a scope; the host's loops have functions of these names.
ORDERED: Mapping[str, str] = {
    **{
        f"tw_load_{order}_{scope}": _LOAD.format(order=order, scope=scope)
        for order in ("relaxed", "acquire")
        for scope in _SCOPES
    },
    **{
        f"tw_store_{order}_{scope}": _STORE.format(order=order, scope=scope)
        for order in ("relaxed", "release")
        for scope in _SCOPES
    },
    "tw_swap": _SWAP,
}
