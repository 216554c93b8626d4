"""Introductions are known by their parts, in every language and wrapping."""

from __future__ import annotations

import pytest

from tests.mail.message.messages import read_own
from tests.mail.message.test_attribution import ECHO, HEADER_BLOCKS, ORDER
from tests.tables import lines

IN_TORN_LINES = [
    "On Mon, Feb 2, 2026 at 9:00 AM Ann Ng <\n\nann@ng.example\n\n> wrote:",
    "On Mon, Feb 2, 2026 at 9:00 AM Ann Ng <\nann@ng.example\n> wrote:",
    "Am Mo., 2. Feb. 2026 um 9:00 schrieb Ann Ng <\n\nann@ng.example\n\n>:",
    "---- On Mon, 02 Feb 2026 09:00:00 +0100 Ann Ng\n<ann@ng.example> wrote ---",
    "---- Am Mo, 02 Feb 2026 09:00:00 +0100\nAnn Ng\n<ann@ng.example> schrieb ----",
    "=== Ann Ng,\n21.11.2026 07:29 ===",
]
"""As programs wrap them, or put the address on lines of its own, whose `>` looks like a mark."""

IN_MORE_LANGUAGES = [
    *lines("""
    2026 оны 2-р сарын 2, Даваа 09:00, Бат Болд бичсэн:
    Ann Ng igorleak blorpte du (2026 ots. 2, al. (09:00)):
    Op Ma. 2 Feb. 2026 om 09:00 blorpte Ann Ng:
    山田太郎さんの 2026/02/02 9:00 のメッセージから:
    山田花子様 2026/02/02 9:00:
    김철수님이 2026-02-02 09:00 보낸 글:
    Ann Abela blorpte fit-2 ta' Frar 2026 fid-09:00:
    Blorpte Ann Ó Briain ar 2 Feabhra 2026 ag 09:00:
    Den 2. Februar 2026 um 09:00 blorpte Ann Weber:
    Ann Jensen blorpte 2. feb. 2026 kl. 09:00:
    2026-ж., 2-фев., дш., 09:00 саатында Азамат Асанов блорпте:
    2026-йил 2-феврал, 09:00 Алишер Каримов блорпте:
    2 fev 2026, du 09:00 Alisher Karimov blorpte:
    2026 елның 2 феврале, 09:00, Айдар Галиев блорпте:
    ૨ ફેબ્રુઆરી ૨૦૨૬, ૯:૦૦ વાગ્યે રમેશ પટેલ:
    ੨ ਫ਼ਰਵਰੀ ੨੦੨੬ ਨੂੰ ੯:੦੦ ਵਜੇ ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ:
    २ फेब्रुवारी २०२६ रोजी ९:०० वाजता राहुल पाटील:
    2 ఫిబ్ర, 2026 9:00 AMకి రవి కుమార్:
    ಫೆಬ್ರ 2, 2026 ರಂದು 9:00 AM ಸಮಯಕ್ಕೆ ರವಿ ಕುಮಾರ್:
    2026 ഫെബ്രു 2, 9:00 AM-ന് രവി കുമാർ:
    2026 පෙබ 2 දින 9:00 ට නිමල් පෙරේරා:
    2 فروری 2026 کو 9:00 بجے احمد علی:
    ວັນທີ 2 ກຸມພາ 2026 ເວລາ 9:00 ສົມສັກ ແກ້ວ:
    នៅថ្ងៃទី 2 កុម្ភៈ 2026 ម៉ោង 9:00 សុខ ចាន់៖
    ሰኞ፣ 2 ፌብ 2026 9:00 አበበ በቀለ፦
    Ngomhla ka 2 Feb 2026 ngo-09:00, uThabo Nkosi blorpte:
    Ranar 2 Feb 2026 da 09:00, Musa Bello blorpte:
    Dana 2. 2. 2026. u 09:00 sati, Ann Horvat blorpte:
    Die Lunae 2 Feb 2026 hora 09:00 Marcus Tullius blorpte:
    Le 2 di fevrîr 2026, 09:00, Ann Furlan blorpte:
    2026. gada 2. februārī 09:00 Jānis Bērziņš blorpte:
    Ann Ng, den 2/2 2026 kl. 09:00, blorpte:
    """),
    "Ann Ng ann@ng.example\n\nOn Mon, Feb 2, 2026 at 09:00 AM",
    "Ann Ng ann@ng.example\n2. Feb. 2026 um 09:00 Uhr",
]
"""A day and an hour in any order and figures, and a name, with a verb that is in no table."""

NAME_AND_VERB = lines("""
    राम ने लिखा:
    ராமன் எழுதியது:
    Асан жазды:
    Ann geskryf:
""")
"""Without a moment: with a verb of the table."""


@pytest.mark.parametrize("introduction", [*IN_TORN_LINES, *IN_MORE_LANGUAGES, *NAME_AND_VERB])
def test_below_an_introduction_of_any_language_and_wrapping_no_order_is_acted_on(introduction: str) -> None:
    for apart in ("\n\n", "\n") if introduction not in NAME_AND_VERB else ("\n\n",):
        words = read_own(f"{ORDER}\nF BRE-MAO{apart}{introduction}{apart}{ECHO}\n")
        assert (words.text, ECHO in words.quoted) == (f"{ORDER}\nF BRE-MAO", True)


@pytest.mark.parametrize(
    "introduction", [*IN_TORN_LINES[3:5], *IN_MORE_LANGUAGES, *HEADER_BLOCKS, ">>> Ann 2/2/26 9:00 >>>"]
)
def test_below_any_introduction_a_guillemet_marks_a_quotation(introduction: str) -> None:
    words = read_own(f"{introduction}\n» {ECHO}\n\n{ORDER}\n\n» See you\n\nF BRE-MAO")
    assert words.text.endswith(f"{ORDER}\n\nF BRE-MAO")
    assert {ECHO, "See you"} <= set(words.quoted)


@pytest.mark.parametrize("block", ["Xaa: Ann Ng <ann@ng.example>\nXbb: 2.2.2026 09:00\nXcc: Ann\nXdd dd: spring"])
def test_a_header_in_any_language_may_stand_directly_below_the_orders(block: str) -> None:
    assert read_own(f"{ORDER}\n{block}\n{ECHO}").text == ORDER


@pytest.mark.parametrize(
    "line",
    lines("""
    INVITE ann@ng.example
    REPLACE FRANCE WITH ann@ng.example
    Replace France with ann@ng.example
    """),
)
def test_a_command_with_an_address_above_another_with_a_moment_is_no_introduction(line: str) -> None:
    text = f"Hello!\n\n{line}\n\nDEADLINE 2026-12-01 18:00\n{ORDER}"
    assert read_own(text).text == text


@pytest.mark.parametrize("line", ["सेना के आदेश:", "私の命令:", "Мои приказы:", "Winter Builds:"])
def test_a_heading_above_the_first_orders_is_no_introduction(line: str) -> None:
    assert read_own(f"Hello!\n\n{line}\n\n{ORDER}").text == f"Hello!\n\n{line}\n\n{ORDER}"
