"""The Diplomacy Adjudicator Test Cases (Lucas Kruijswijk), as tables of orders and their outcomes.

One text file for each section, `6a.txt` to `6j.txt`. A case begins at the margin with its number; its rows are indented
and have columns two blanks apart:

    Italy     A ven-tri             bounces            an order and its outcome: a word of `Result`, then
    Italy     F ion-adr             cut, dislodged     whether its unit is dislodged, or destroyed (nowhere to go)
    Russia    A war-gal             succeeds; 1971 bounces       the outcome under another rulebook
    stands    Austria F tri         succeeds           a unit without an order
    only      2000 1971             the rulebooks by which the case is judged; all three, if not said
    retreats                        what follows is ordered in the retreat phase that the rows above lead to
    may       Italy A mar           pie spa            where a dislodged unit may retreat
    owns      Russia mos stp        centres owned, in an adjustment phase
    then      France F lyo disband  what happens without orders

`illegal` are orders refused on receipt, whatever happens to the unit then. `python -m tests.judge.datc` prints how many
cases pass.
"""
