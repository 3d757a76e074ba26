import { expect, it } from 'vitest'
import { characterSetOf, decodeLetters } from '../../../../src-main/reader/dicom/character-sets.ts'

/** `\x1b` and bytes above 0x7f are written as Latin-1 letters. */
function decoded(bytes: string, ...terms: readonly string[]): string | null {
  return decodeLetters(Buffer.from(bytes, 'latin1'), characterSetOf(terms))
}

// The examples of PS3.5 annexes H to K and of PS3.3 C.12.1.1.2, if there are any.
it.each<readonly [terms: readonly string[], bytes: string, text: string]>([
  [[], 'LOPEZ^ANA', 'LOPEZ^ANA'],
  [['ISO_IR 6'], 'LOPEZ^ANA', 'LOPEZ^ANA'],
  [['ISO_IR 100'], 'Buc^J\xe9r\xf4me', 'Buc^Jérôme'],
  [['ISO_IR 101'], 'W\xb3odzimierz', 'Włodzimierz'],
  [['ISO_IR 109'], '\xa6', 'Ĥ'],
  [['ISO_IR 110'], '\xd3', 'Ķ'],
  [['ISO_IR 144'], '\xbb\xee\xda\xdd', 'Люкн'],
  [['ISO_IR 127'], '\xe2\xc8', 'قب'],
  [['ISO_IR 126'], '\xc4\xe9\xef\xed', 'Διον'],
  [['ISO_IR 138'], '\xf9\xf8', 'שר'],
  [['ISO_IR 148'], '\xc7\xfd', 'Çı'],
  [['ISO_IR 13'], '\xd4\xcf\xc0\xde^\xc0\xdb\xb3', 'ﾔﾏﾀﾞ^ﾀﾛｳ'],
  [['ISO_IR 166'], '\xca\xc1', 'สม'],
  [['ISO_IR 192'], 'Wang^XiaoDong=\xe7\x8e\x8b^\xe5\xb0\x8f\xe6\x9d\xb1', 'Wang^XiaoDong=王^小東'],
  [['GB18030'], 'Wang^XiaoDong=\xcd\xf5^\xd0\xa1\xb6\xab', 'Wang^XiaoDong=王^小东'],
  [['GBK'], '\xcd\xf5^\xd0\xa1\xb6\xab', '王^小东'],
  [
    ['', 'ISO 2022 IR 87'],
    'Yamada^Tarou=\x1b$B;3ED\x1b(B^\x1b$BB@O:\x1b(B=\x1b$B$d$^$@\x1b(B^\x1b$B$?$m$&\x1b(B',
    'Yamada^Tarou=山田^太郎=やまだ^たろう',
  ],
  [
    ['ISO 2022 IR 13', 'ISO 2022 IR 87'],
    '\xd4\xcf\xc0\xde^\xc0\xdb\xb3=\x1b$B;3ED\x1b(J^\x1b$BB@O:\x1b(J=\x1b$B$d$^$@\x1b(J^\x1b$B$?$m$&\x1b(J',
    'ﾔﾏﾀﾞ^ﾀﾛｳ=山田^太郎=やまだ^たろう',
  ],
  [
    ['', 'ISO 2022 IR 149'],
    'Hong^Gildong=\x1b$)C\xfb\xf3^\x1b$)C\xd1\xce\xd4\xd7=\x1b$)C\xc8\xab^\x1b$)C\xb1\xe6\xb5\xbf',
    'Hong^Gildong=洪^吉洞=홍^길동',
  ],
  [
    ['', 'ISO 2022 IR 58'],
    'Zhang^XiaoDong=\x1b$)A\xd5\xc5^\x1b$)A\xd0\xa1\xb6\xab=',
    'Zhang^XiaoDong=张^小东=',
  ],
  [['ISO 2022 IR 100', 'ISO 2022 IR 144'], '\xe9^\x1b-L\xee^\xe9', 'é^ю^é'],
  [['ISO 2022 IR 6', 'ISO 2022 IR 100'], 'a^\x1b-A\xe9', 'a^é'],
  [['', 'ISO 2022 IR 159'], '\x1b$(D0!\x1b(B', '丂'],
  // Careless writers: other spellings of the terms, and an alphabet named only once.
  [['ISO-IR 100'], '\xe9', 'é'],
  [['ISO IR 192'], '\xc3\xa9', 'é'],
  [['', 'ISO 2022 IR 149'], '\x1b$)C\xfb\xf3^\xd1\xce', '洪^吉'],
])('%j: %j', (terms, bytes, text) => {
  expect(decoded(bytes, ...terms)).toBe(text)
})

it.each<readonly [what: string, terms: readonly string[], bytes: string]>([
  ['letters of no stated alphabet', [], 'M\xfcller'],
  ['letters of an alphabet that is not known', ['ISO_IR 999'], 'M\xfcller'],
  ['Latin letters that are said to be UTF-8', ['ISO_IR 192'], 'M\xfcller'],
  ['an escape that is not known', ['', 'ISO 2022 IR 87'], '\x1b$Zab'],
  ['half of a letter', ['', 'ISO 2022 IR 87'], '\x1b$B;3E\x1b(B'],
  ['high letters where none were selected', ['', 'ISO 2022 IR 87'], '\xe9'],
])('%s come out as nothing, not as something else', (_, terms, bytes) => {
  expect(decoded(bytes, ...terms)).toBeNull()
})
