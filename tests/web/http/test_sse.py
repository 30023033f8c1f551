from hypothesis import given
from hypothesis import strategies as st

from tests.web.streams import Message, parse
from webapp.http import responses


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])).filter(str.strip), max_size=5))
def test_sent_messages_are_read_back(texts):
    stream = "".join(responses.message(text, number) for number, text in enumerate(texts))
    # HTML has the same meaning without empty lines and with other line ends
    lines = [[line for line in text.splitlines() if line.strip()] for text in texts]
    assert parse(stream) == [
        Message(str(number), "\n".join(lines_of_text)) for number, lines_of_text in enumerate(lines)
    ]


def test_text_of_a_message():
    assert responses.message("<p>1</p>") == "data: <p>1</p>\n\n", "without a number it has no id"
    text = responses.message("<p>\n\n</p>\r\n", 1)
    assert text == "id: 1\ndata: <p>\ndata: </p>\n\n", "an empty line would end the message"
    assert parse(responses.HEARTBEAT + text + responses.HEARTBEAT) == [Message("1", "<p>\n</p>")]
