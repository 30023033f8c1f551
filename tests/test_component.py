"""The script of the web component: modules joined into one file, without comments and spaces."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slidewise.cli import main
from slidewise.component import HEAD, bundled, component, minified, tokens

STATIC = Path(__file__).parents[1] / "static"

CODE = r"""
"a  b // c"
"\" /* \\"
'it\'s  "so"  // '
`a  b // ${c}  /* '`
`}  ${`{ ${d}`}  {`
`\`  \${ //  $`
/a  \/\/ b/g
/[/\]'"  //]+/u
/(`)  ${2}/
"""
LITERALS = CODE.strip().splitlines()
STATEMENTS = (
    *(["a", "=", one, ";"] for one in LITERALS),
    *(["if", "(", "a", ")", one, ".", "of", ";"] for one in LITERALS),
    *(["{", "f", "(", one, ",", one, ")", ";", "}"] for one in LITERALS),
    *(["`  ${", one, "}  // ${", "{", "b", ":", one, "}", "}`", ";"] for one in LITERALS),
    *([one, "/", "b", "/", "c", ";"] for one in LITERALS),
    ["a", "=", "(", "b", "+", "c", ")", "/", "d", "/", "e", ";"],
    ["a", "=", "b", "[", "0", "]", "/", "c", ".", "in", "/", "d", ";"],
    ["i", "++", "/", "2", "/", "j", "--", ";"],
)
SPACES = "", " ", "   ", "\t", " /* it's `one` */", " /**/ "
LINE_ENDS = "\n", " // it's `one` \" /\n", "\n\n  ", " /* of\n two */"


@given(st.data())
def test_minified_script_has_its_tokens_and_line_ends_alone(data):
    script = expected = ""
    for statement in data.draw(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=5)):
        for token in statement:
            script += token + data.draw(st.sampled_from(SPACES))
            expected += token
        script += data.draw(st.sampled_from(LINE_ENDS))
        expected += "\n"
    assert minified(script) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("return  typeof /* a */ x in y", "return typeof x in y"),
        ("a + +b - -c + ++d", "a+ +b- -c+ ++d"),
        ("a < !--b; 1 .toFixed()", "a< !--b;1 .toFixed()"),
        ("a / /b/.length; return /  /", "a/ /b/.length;return/  /"),
        ("if (/  / in x) /y/ instanceof z", "if(/  / in x)/y/ instanceof z"),
        ("i++  / 2 /  j--  / 3", "i++/2/j--/3"),
        ("let a = 1\n\n\n  // one\n  ++b\n", "let a=1\n++b\n"),
    ],
)
def test_space_stays_if_tokens_would_join_without_it(script, expected):
    assert minified(script) == expected


def test_tokens_of_each_script_of_the_site_are_its_text():
    scripts = [path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js")]
    assert len(scripts) > 50
    for script in scripts:
        found = list(tokens(script))
        assert "".join(text for _, text in found) == script
        again = [text for kind, text in tokens(minified(script)) if kind != "space"]
        assert again == [text for kind, text in found if kind != "space"]


def test_modules_are_joined_in_the_order_of_their_imports(tmp_path):
    (tmp_path / "a.js").write_text(
        'import { x } from "./in/b.js";\nimport {\n  c, d,\n} from "./c.js";\n'
        "// a comment\nexport function start() { return [x, c, d()]; }\n"
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "b.js").write_text('import { c } from "../c.js";\nexport const x = c + 1;\n')
    (tmp_path / "c.js").write_text(
        "export const c = 1;\nexport async function d() {}\nconst e = 2;\nexport const f = e;\n"
    )
    script = bundled(tmp_path, "a")
    assert script.removeprefix(HEAD).splitlines() == [
        "(() => {",
        '"use strict";',
        "const c=1;",
        "async function d(){}",
        "const x=c+1;",
        "function start(){return[x,c,d()];}",
        "start();",
        "})();",
    ]


def test_name_of_two_modules_of_the_component_is_an_error(tmp_path):
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nconst c = b;\n')
    (tmp_path / "b.js").write_text("export const b = 1;\nconst c = 2;\n")
    with pytest.raises(ValueError, match="two modules of the component: c"):
        bundled(tmp_path, "a")


def test_command_prints_the_script_of_the_component(capsys):
    assert main(["component"]) == 0
    printed = capsys.readouterr().out
    assert printed == component()
    assert "MIT License" in printed.partition("\n(")[0]
