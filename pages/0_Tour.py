"""The tour: ten minutes to see what representatives, codes and the function are for."""

from leasc_core.errors import LeascError
from leasc_ui.frame.page import load_core
from leasc_ui.frame.words import from_data
from leasc_ui.screens.page import page_setup

page_setup("Tour")

from leasc_ui.screens.tour import frame  # noqa: E402

memory = frame.current()
frame.show_progress(memory)
lead = frame.show_title(memory.step)
picture, asked, panel = frame.places(memory.step)
load_core(lead, picture, panel)

with panel:
    with memory.drawing():
        frame.show_controls(memory)
    settings = memory.settings
try:
    with picture:
        memory.step.draw(settings, memory)
    with asked:
        frame.show_question(memory, settings)
except LeascError as problem:
    picture.error(from_data(problem), icon=":material/error:")
frame.show_equation(memory.step)
frame.show_ways(memory)
frame.warm_up(memory)
