#!/usr/bin/env python3
"""Makes the files of this folder again: clean payslips of writers that are not ours, and versions that other programs tampered with.

No test runs it. It needs Debian's packages qpdf, ghostscript, poppler-utils, wkhtmltopdf, libreoffice-writer-nogui,
libreoffice-draw-nogui, groff, faketime, python3-cairo and fonts-dejavu-core, and of Python's packages reportlab,
fpdf2, weasyprint, pikepdf and pypdf. CHROMIUM_PATH names a Chromium; without it, its files are left out. Other versions of the
programs give other bytes.

    python3 test/support/specimens/income/foreign/make.py && npx biome check --write test/support/specimens/income/foreign
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).parent
WORK = pathlib.Path(tempfile.mkdtemp(prefix="foreign-"))
DAY = "2026-05-01 09:12:00"
ENV = {**os.environ, "SOURCE_DATE_EPOCH": "1777626720", "TZ": "UTC", "HOME": str(WORK), "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
TODAY = "2026-06-12"
truths = []


def run(*command, **more):
    done = subprocess.run(["faketime", DAY, *map(str, command)], env=ENV, capture_output=True, timeout=90, **more)
    if done.returncode not in (0, 3):  # qpdf: 3 is a warning
        raise SystemExit(f"{command}: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout


def version(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout or done.stderr).strip().splitlines()[0]


# The figures of an invented slip.

def eleven(text, weights=(9, 8, 7, 6, 5, 4, 3, 2, -1)):
    return sum(int(digit) * weight for digit, weight in zip(text, weights)) % 11 == 0


def number(start, seed):
    value = int(hashlib.sha256(seed.encode()).hexdigest(), 16)
    while True:
        text = start + str(value % 10 ** (9 - len(start))).zfill(9 - len(start))
        if eleven(text):
            return text
        value += 1


def iban(seed):
    account = "NEPB0" + str(int(hashlib.sha256(seed.encode()).hexdigest(), 16) % 10**9).zfill(9)
    digits = "".join(str(int(each, 36)) for each in account + "NL00")
    return f"NL{98 - int(digits) % 97:02d}{account}"


PERSONS = [
    ("Nina Wilhelmina van der Plankgas", "N.W. van der Plankgas", "14-03-1990"),
    ("Bram Olof de Fantast-Ødegård", "B.O. de Fantast-Ødegård", "02-12-1984"),
    ("Sanne Verzinsel-Kortebroek", "S. Verzinsel-Kortebroek", "27-08-1995"),
]
FIRMS = [
    ("Timmerfabriek De Rechte Lat B.V.", "Zaagselweg 12, 4321 QA Fictiedam"),
    ("Stichting Kinderopvang Luchtkasteel", "Wolkensteeg 3, 5678 XB Nergenshuizen"),
    ("Groothandel Papierenwereld N.V.", "Kartonkade 99, 1111 ZZ Oud-Verzinsel"),
]


def money(cents, sign=""):
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{sign}{whole:,}".replace(",", ".") + f",{rest:02d}"


def slip(index, raise_by=0, net_only=0):
    """A slip of April 2026. raise_by is added wherever it counts; net_only spoils the net alone."""
    hourly = 1800 + index * 73
    hours = 36
    salary = round(hourly * hours * 52 / 12)
    travel = 9000 + index * 110
    pension = round(salary * 0.062)
    tax = round((salary - pension) * 0.19)
    association = 250
    salary += raise_by
    net = salary - pension - tax + travel - association
    full, printed, birth = PERSONS[index % 3]
    firm, address = FIRMS[(index + index // 3) % 3]
    return {
        "full": full, "printed": printed, "birth": birth, "firm": firm, "address": address,
        "bsn": number("9999", f"bsn {index}"), "iban": iban(f"iban {index}"),
        "lh": number("85", f"lh {index}") + "L01", "kvk": str(60000000 + index * 7919),
        "hourly": hourly, "hours": hours,
        "lines": [("Salaris", salary), ("Pensioenpremie", -pension), ("Loonheffing", -tax),
                  ("Reiskostenvergoeding", travel), ("Personeelsvereniging", -association)],
        "gross": salary, "taxable": salary - pension, "net": net + net_only,
        "gross_year": salary * 4, "net_year": net * 4, "reserve": round(salary * 0.08),
    }


def html(it, style):
    rows = "".join(
        f"<tr><td>{name}</td><td class=r>{money(cents)}</td><td class=r>{money(cents * 4)}</td></tr>"
        + (f"<tr class=b><td>Bruto loon</td><td class=r>{money(it['gross'])}</td><td class=r>{money(it['gross_year'])}</td></tr>" if name == "Salaris" else "")
        for name, cents in it["lines"])
    head = [("Werknemer", it["printed"]), ("Geboortedatum", it["birth"]), ("BSN", it["bsn"]),
            ("Periode", "01-04-2026 t/m 30-04-2026"), ("Betaaldatum", "24-04-2026"),
            ("Contracturen per week", f"{it['hours']},00"), ("Bruto uurloon", money(it["hourly"])),
            ("Wettelijk minimumuurloon", "14,71"), ("Loonheffingennummer", it["lh"]), ("KvK", it["kvk"]),
            ("IBAN", it["iban"])]
    if style == "boxes":
        info = "<div class=g>" + "".join(f"<div class=c><small>{a}</small><br>{b}</div>" for a, b in head) + "</div>"
    else:
        info = "<table>" + "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in head) + "</table>"
    return f"""<!doctype html><html lang=nl><head><meta charset=utf-8><title>Loonstrook</title><style>
      body {{ font-family: 'DejaVu Sans'; font-size: 10px; }} table {{ border-collapse: collapse; margin-top: 12px; }}
      td {{ padding: 2px 14px 2px 0; }} .r {{ text-align: right; }} .b td {{ font-weight: bold; border-top: 1px solid black; }}
      .c {{ display: inline-block; border: 1px solid gray; width: 170px; padding: 4px; margin: 2px; }} small {{ color: gray; }}
      </style></head><body><h1>Loonstrook</h1><p><b>{it['firm']}</b><br>{it['address']}</p>{info}
      <table><tr class=b><td>Omschrijving</td><td class=r>Bedrag</td><td class=r>Cumulatief</td></tr>{rows}
      <tr class=b><td>Netto loon</td><td class=r>{money(it['net'])}</td><td class=r>{money(it['net_year'])}</td></tr></table>
      <p>Reservering vakantiegeld 8%: {money(it['reserve'])}</p></body></html>"""


def texts(it):
    """The slip as texts at places: x, y from the top (points), text, right aligned, bold."""
    out = [(50, 60, "Loonstrook april 2026", False, True), (50, 80, it["firm"], False, True), (50, 93, it["address"], False, False)]
    head = [("Werknemer", it["printed"]), ("Geboortedatum", it["birth"]), ("BSN", it["bsn"]), ("Periode", "01-04-2026 t/m 30-04-2026"),
            ("Betaaldatum", "24-04-2026"), ("Contracturen per week", f"{it['hours']},00"), ("Bruto uurloon", money(it["hourly"])),
            ("Wettelijk minimumuurloon", "14,71"), ("Loonheffingennummer", it["lh"]), ("KvK", it["kvk"]), ("IBAN", it["iban"])]
    y = 120
    for a, b in head:
        out += [(50, y, a, False, False), (200, y, b, False, False)]
        y += 14
    y += 16
    out += [(380, y, "Bedrag", True, True), (500, y, "Cumulatief", True, True)]
    for name, cents in it["lines"]:
        y += 14
        out += [(50, y, name, False, False), (380, y, money(cents), True, False), (500, y, money(cents * 4), True, False)]
        if name == "Salaris":
            y += 14
            out += [(50, y, "Bruto loon", False, True), (380, y, money(it["gross"]), True, True), (500, y, money(it["gross_year"]), True, True)]
    y += 20
    out += [(50, y, "Netto loon", False, True), (380, y, money(it["net"]), True, True), (500, y, money(it["net_year"]), True, True)]
    out += [(50, y + 24, f"Reservering vakantiegeld 8%: {money(it['reserve'])}", False, False)]
    return out


# Writers.

def page(it, style="table"):
    file = WORK / "slip.html"
    file.write_text(html(it, style))
    return file


def by_wkhtmltopdf(it, to):
    run("wkhtmltopdf", "-q", page(it, "boxes"), to)


def by_libreoffice(it, to, kind="writer_pdf_Export"):
    run("soffice", "--headless", "--infilter=HTML (StarWriter)", "--convert-to", f"pdf:{kind}", "--outdir", WORK, page(it))
    shutil.move(WORK / "slip.pdf", to)


def by_weasyprint(it, to):
    run("python3", "-c", "import sys, weasyprint; weasyprint.HTML(sys.argv[1]).write_pdf(sys.argv[2])", page(it, "boxes"), to)


def by_chromium(it, to):
    """Chromium crashes under faketime, so its two dates are written over, with as many characters."""
    command = [os.environ["CHROMIUM_PATH"], "--headless=old", "--no-sandbox", "--disable-gpu", "--single-process", "--no-zygote",
               "--no-pdf-header-footer", f"--user-data-dir={WORK}/chromium", f"--print-to-pdf={to}", page(it).as_uri()]
    subprocess.run(command, env=ENV, capture_output=True, timeout=60)
    data = to.read_bytes()
    to.write_bytes(re.sub(rb"\(D:\d{14}", b"(D:20260501091200", data))


def by_reportlab(it, to):
    code = """
import json, sys
from reportlab.pdfgen.canvas import Canvas
canvas = Canvas(sys.argv[1], pagesize=(595, 842), invariant=0)
for x, y, text, right, bold in json.load(sys.stdin):
    canvas.setFont('Helvetica-Bold' if bold else 'Helvetica', 9)
    (canvas.drawRightString if right else canvas.drawString)(x, 842 - y, text)
canvas.save()
"""
    run("python3", "-c", code, to, input=json.dumps(texts(it)).encode())


def by_fpdf(it, to):
    code = """
import json, sys
from fpdf import FPDF
pdf = FPDF(unit='pt', format=(595, 842))
pdf.add_page()
for x, y, text, right, bold in json.load(sys.stdin):
    pdf.set_font('Times', 'B' if bold else '', 10)
    pdf.text(x - (pdf.get_string_width(text) if right else 0), y, text)
pdf.output(sys.argv[1])
"""
    run("python3", "-c", code, to, input=json.dumps(texts(it)).encode())


def by_cairo(it, to):
    code = """
import cairo, json, sys
surface = cairo.PDFSurface(sys.argv[1], 595, 842)
context = cairo.Context(surface)
context.set_font_size(9)
for x, y, text, right, bold in json.load(sys.stdin):
    context.select_font_face('Liberation Sans', cairo.FONT_SLANT_NORMAL, cairo.FONT_WEIGHT_BOLD if bold else cairo.FONT_WEIGHT_NORMAL)
    context.move_to(x - (context.text_extents(text).x_advance if right else 0), y)
    context.show_text(text)
surface.finish()
"""
    run("/usr/bin/python3", "-c", code, to, input=json.dumps(texts(it)).encode())


def postscript(it):
    def shown(text):
        return "".join(f"\\{each:03o}" if each > 126 or chr(each) in "()\\" else chr(each) for each in text.encode("latin1"))
    out = ["%!PS-Adobe-3.0", "<< /PageSize [595 842] >> setpagedevice",
           "/L { findfont dup length dict begin { 1 index /FID ne { def } { pop pop } ifelse } forall /Encoding ISOLatin1Encoding def currentdict end definefont pop } def",
           "/R /Helvetica L /B /Helvetica-Bold L"]
    for x, y, text, right, bold in texts(it):
        out.append(f"/{'B' if bold else 'R'} findfont 9 scalefont setfont ({shown(text)}) {x} {842 - y} moveto {'dup stringwidth pop neg 0 rmoveto ' if right else ''}show")
    return "\n".join([*out, "showpage", ""])


def by_ghostscript(it, to):
    (WORK / "slip.ps").write_text(postscript(it))
    run("gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", f"-sOutputFile={to}", WORK / "slip.ps")


def by_groff(it, to):
    lines = [".pl 29.7c", ".ll 18c", ".po 1.5c", ".nf", ".ps 10"]
    rows = {}
    for x, y, text, right, bold in texts(it):
        rows.setdefault(y, []).append((x, text, right, bold))
    for y, cells in sorted(rows.items()):
        line = f".sp |{y}p\n"
        for x, text, right, bold in cells:
            styled = f"\\f[{'HB' if bold else 'H'}]{text}"
            line += f"\\h'|{x - 42}p'" + (f"\\h'-\\w'{styled}'u'" if right else "") + styled
        lines.append(line)
    (WORK / "slip.groff").write_text("\n".join(lines) + "\n")
    to.write_bytes(run("groff", "-k", "-Tpdf", WORK / "slip.groff"))


WRITERS = {
    "reportlab": (by_reportlab, lambda: "ReportLab " + version("python3", "-c", "import reportlab; print(reportlab.Version)")),
    "libreoffice": (by_libreoffice, lambda: version("soffice", "--version")),
    "wkhtmltopdf": (by_wkhtmltopdf, lambda: version("wkhtmltopdf", "--version")),
    "weasyprint": (by_weasyprint, lambda: version("python3", "-m", "weasyprint", "--version")),
    "cairo": (by_cairo, lambda: "cairo " + version("/usr/bin/python3", "-c", "import cairo; print(cairo.cairo_version_string())")),
    "fpdf2": (by_fpdf, lambda: "fpdf2 " + version("python3", "-c", "import fpdf; print(fpdf.__version__)")),
    "ghostscript": (by_ghostscript, lambda: "Ghostscript " + version("gs", "--version")),
    "groff": (by_groff, lambda: version("groff", "--version")),
    "chromium": (by_chromium, lambda: version(os.environ["CHROMIUM_PATH"], "--version")),
}


def entry(file, made_by, it, weight=None, kind="clean", by=(), **more):
    size = (FOLDER / file).stat().st_size
    assert size <= 60_000, f"{file} has {size} bytes"
    truths.append({
        "file": file, "made_by": made_by, "kind": kind, "today": TODAY,
        "truth": {"type": "payslip", "employer": it["firm"], "person": it["full"], "bsn": it["bsn"], "iban": it["iban"],
                  "periodStart": "2026-04-01", "periodEnd": "2026-04-30", "grossCents": it["gross"], "netCents": it["net"],
                  "grossYearCents": it["gross_year"], "netYearCents": it["net_year"], "hourlyCents": it["hourly"], "hoursPerWeek": it["hours"]},
        **({"weight": weight, "by": list(by)} if weight else {}), **more,
    })


# Tampering.

FILE = ["file_integrity", "revision_history"]
RAISE = 50_000


def by_qpdf_text(source, to, it):
    """The net of a file is edited in its text form, and the places are mended."""
    run("qpdf", "--qdf", "--object-streams=disable", source, WORK / "edit.qdf.pdf")
    data = (WORK / "edit.qdf.pdf").read_bytes()
    old, new = money(it["net"]).encode(), money(it["net"] + RAISE).encode()
    assert data.count(old) >= 1, f"{source}: no {old}"
    fixed = subprocess.run(["fix-qdf"], input=data.replace(old, new), capture_output=True, check=True).stdout
    (WORK / "edited.pdf").write_bytes(fixed)
    run("qpdf", "--object-streams=generate", WORK / "edited.pdf", to)


def stamp(it, to, changed):
    """White boxes and new amounts, as a page that is laid over the other."""
    code = """
import json, sys
from reportlab.pdfgen.canvas import Canvas
canvas = Canvas(sys.argv[1], pagesize=(595, 842))
for x, y, text, right, bold in json.load(sys.stdin):
    canvas.setFillGray(1)
    canvas.rect(x - 60, 842 - y - 3, 62, 12, stroke=0, fill=1)
    canvas.setFillGray(0)
    canvas.setFont('Helvetica-Bold' if bold else 'Helvetica', 9)
    canvas.drawRightString(x, 842 - y, text)
canvas.save()
"""
    before, after = texts(it), texts(changed)
    parts = [b for a, b in zip(before, after) if a != b and b[3]]
    run("python3", "-c", code, to, input=json.dumps(parts).encode())


def by_qpdf_overlay(source, to, it, changed):
    stamp(it, WORK / "stamp.pdf", changed)
    run("qpdf", source, "--overlay", WORK / "stamp.pdf", "--", to)


def by_pikepdf(source, to, it, changed, metadata):
    """Words of the content stream are replaced, and the metadata are taken away."""
    code = """
import pikepdf, sys
old, new = sys.argv[3].split('|'), sys.argv[4].split('|')
with pikepdf.open(sys.argv[1]) as pdf:
    for page in pdf.pages:
        page.contents_coalesce()
        data = page.Contents.read_bytes()
        for a, b in zip(old, new):
            assert a.encode('latin1') in data, a
            data = data.replace(a.encode('latin1'), b.encode('latin1'))
        page.Contents = pdf.make_stream(data)
    if sys.argv[5] == 'strip':
        if '/Info' in pdf.trailer: del pdf.trailer['/Info']
        if '/Metadata' in pdf.Root: del pdf.Root['/Metadata']
    pdf.save(sys.argv[2])
"""
    pairs = [(a[2], b[2]) for a, b in zip(texts(it), texts(changed)) if a[2] != b[2]]
    run("python3", "-c", code, source, to, "|".join(a for a, _ in pairs), "|".join(b for _, b in pairs), metadata)


def by_pypdf(source, to, it, changed):
    """Free text annotations over the amounts, saved as a revision."""
    code = """
import json, sys
from pypdf import PdfWriter
from pypdf.annotations import FreeText
writer = PdfWriter(sys.argv[1], incremental=True)
for x, y, text, right, bold in json.load(sys.stdin):
    writer.add_annotation(0, FreeText(text=text, rect=(x - 62, 842 - y - 4, x + 2, 842 - y + 10), font='Helvetica', font_size='9pt', font_color='000000', border_color=None, background_color='ffffff'))
writer.write(sys.argv[2])
"""
    parts = [b for a, b in zip(texts(it), texts(changed)) if a != b and b[3]]
    run("python3", "-c", code, source, to, input=json.dumps(parts).encode())


def by_draw(source, to, it, changed):
    """A drawing program opens the page, the amounts are changed, and it exports the page again."""
    shutil.copy(source, WORK / "drawn.pdf")
    run("soffice", "--headless", "--infilter=draw_pdf_import", "--convert-to", "fodg", "--outdir", WORK, WORK / "drawn.pdf")
    drawing = (WORK / "drawn.fodg").read_text()
    if changed is not it:
        old, new = money(it["net"]), money(changed["net"])
        assert old in drawing, f"the drawing has no {old}"
        drawing = drawing.replace(old, new)
    (WORK / "drawn.fodg").write_text(drawing)
    run("soffice", "--headless", "--convert-to", "pdf:draw_pdf_Export", "--outdir", WORK, WORK / "drawn.fodg")
    shutil.move(WORK / "drawn.pdf", to)


def by_distilling(source, to):
    run("gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", f"-sOutputFile={to}", source)


def main():
    for old in FOLDER.glob("*.pdf"):
        old.unlink()
    slips, files = {}, {}
    for index, (name, (make, called)) in enumerate(WRITERS.items()):
        if name == "chromium" and "CHROMIUM_PATH" not in os.environ:
            continue
        it = slips[name] = slip(index)
        files[name] = FOLDER / f"clean-{name}.pdf"
        try:
            make(it, files[name])
        except (subprocess.TimeoutExpired, FileNotFoundError):
            print(name, "made no file and is left out")
            files.pop(name).unlink(missing_ok=True)
            continue
        entry(files[name].name, called(), it)

    def tampered(file, how, source, make, it, weight, kind, by):
        try:
            make(FOLDER / file)
        except (AssertionError, SystemExit, subprocess.TimeoutExpired) as cause:
            print(file, "is left out:", str(cause)[-300:])
            (FOLDER / file).unlink(missing_ok=True)
            return
        if (FOLDER / file).stat().st_size > 60_000:
            print(file, "is too large, and left out")
            (FOLDER / file).unlink()
            return
        entry(file, f"clean-{source}.pdf, then {how}", it, weight, kind, by)

    qpdf, gs = version("qpdf", "--version"), "Ghostscript " + version("gs", "--version")
    for name in ["fpdf2", "reportlab"]:
        it = slips[name]
        tampered(f"net-by-qpdf-{name}.pdf", f"{qpdf}, its text form edited", name, lambda to, n=name, i=it: by_qpdf_text(files[n], to, i), it, "alarm", "net edited in the content", ["arithmetic", *FILE])
    for name in ["reportlab", "cairo", "ghostscript", "fpdf2"]:
        it = slips[name]
        changed = slip(list(WRITERS).index(name), RAISE)
        tampered(f"overlay-by-qpdf-{name}.pdf", f"{qpdf} --overlay", name, lambda to, n=name, i=it, c=changed: by_qpdf_overlay(files[n], to, i, c), it, "alarm", "white boxes with new amounts laid over", ["arithmetic", *FILE])
        tampered(f"annotated-by-pypdf-{name}.pdf", "pypdf, incremental", name, lambda to, n=name, i=it, c=changed: by_pypdf(files[n], to, i, c), it, "alarm", "free text annotations over the amounts", FILE)
    for name in ["reportlab", "fpdf2"]:
        it = slips[name]
        changed = slip(list(WRITERS).index(name), 0, RAISE)
        tampered(f"net-by-pikepdf-{name}.pdf", "pikepdf", name, lambda to, n=name, i=it, c=changed: by_pikepdf(files[n], to, i, c, "keep"), it, "alarm", "net edited in the content", ["arithmetic", *FILE])
        tampered(f"net-by-pikepdf-stripped-{name}.pdf", "pikepdf, without metadata", name, lambda to, n=name, i=it, c=changed: by_pikepdf(files[n], to, i, c, "strip"), it, "alarm", "net edited in the content", ["arithmetic", *FILE])
    for name in ["reportlab", "libreoffice", "cairo"]:
        it = slips[name]
        changed = {**it, "net": it["net"] + RAISE}
        tampered(f"net-by-draw-{name}.pdf", "LibreOffice Draw", name, lambda to, n=name, i=it, c=changed: by_draw(files[n], to, i, c), it, "alarm", "net edited in a drawing program", ["arithmetic", *FILE])
    for name in ["wkhtmltopdf", "weasyprint"]:
        it = slips[name]
        tampered(f"drawn-again-{name}.pdf", "LibreOffice Draw, nothing changed", name, lambda to, n=name, i=it: by_draw(files[n], to, i, i), it, "doubt", "saved again by a drawing program", FILE)
    it = slips["reportlab"]
    changed = slip(0, RAISE)
    tampered("overlay-distilled.pdf", f"{qpdf} --overlay, then {gs}", "reportlab", lambda to: (by_qpdf_overlay(files["reportlab"], WORK / "laid.pdf", it, changed), by_distilling(WORK / "laid.pdf", to)), it, "alarm", "white boxes with new amounts, distilled again", ["arithmetic", *FILE])
    for name in ["libreoffice", "wkhtmltopdf"]:
        tampered(f"distilled-{name}.pdf", f"{gs}, nothing changed", name, lambda to, n=name: by_distilling(files[n], to), slips[name], "nothing", "harmless: distilled again, nothing changed", ["revision_history", "arithmetic"])
        tampered(f"linearised-{name}.pdf", f"{qpdf} --linearize --object-streams=generate", name, lambda to, n=name: run("qpdf", "--linearize", "--object-streams=generate", files[n], to), slips[name], "nothing", "harmless: linearised, nothing changed", [*FILE, "arithmetic"])
    it = slips["cairo"]
    tampered("encrypted-empty-password.pdf", f"{qpdf}, AES-256, only an owner's password", "cairo", lambda to: run("qpdf", "--encrypt", "", "owner", "256", "--", files["cairo"], to), it, "doubt", "encrypted with an empty password", ["file_integrity"])
    tampered("encrypted.pdf", f"{qpdf}, AES-256", "cairo", lambda to: run("qpdf", "--encrypt", "user", "owner", "256", "--", files["cairo"], to), it, "alarm", "encrypted", ["file_integrity"])
    run("pdftoppm", "-r", "72", "-gray", "-jpeg", "-jpegopt", "quality=40", "-singlefile", files["cairo"], WORK / "scan")
    tampered("scanned.pdf", "pdftoppm, then img2pdf by ReportLab", "cairo", lambda to: run("python3", "-c", "import sys; from reportlab.pdfgen.canvas import Canvas; c = Canvas(sys.argv[2], pagesize=(595, 842)); c.drawImage(sys.argv[1], 0, 0, 595, 842); c.save()", WORK / "scan.jpg", to), it, "doubt", "a picture without text", ["file_integrity", "content_complete"])
    (FOLDER / "truths.json").write_text(json.dumps(truths, indent=2, ensure_ascii=False) + "\n")
    total = sum(each.stat().st_size for each in FOLDER.glob("*.pdf"))
    print(len(truths), "files,", total, "bytes")
    assert total <= 1_500_000
    shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
