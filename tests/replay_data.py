"""The data in a page of a replay."""

import base64
import json
import zlib


def parts_of(page):
    """Return the text of a replay before and after its data, and the data."""
    before, data = page.split('<script type="text/plain" id="data">')
    data, after = data.split("</script>", 1)
    return before, json.loads(zlib.decompress(base64.b64decode(data))), after
