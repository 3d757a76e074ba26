/** What looks like a patient's number, and what is undone, asked or compared. */
import { describe, expect, it } from 'vitest'
import {
  bareId,
  foldId,
  isDayOrTimeOf,
  isIdle,
  isNearlySame,
  isTimeOf,
  isLikeNumber,
  shapeOf,
  unwrapNumber,
} from '../../../../../src-main/station/cases/meaning/numbers.ts'

describe('ids', () => {
  it.each([
    ['771020', '77102', true],
    ['771020', '7710220', true],
    ['771020', '771024', true],
    ['771020', '717020', true],
    ['771020', '0771020', true],
    ['771020', '000771020', true],
    ['HC-771020', 'hc 771024', true],
    ['771020', '771020', false],
    ['771020', '771-020', false],
    ['771020', '881020', false],
    ['771020', '7710232', false],
    ['771020', '771092', false],
    ['771020', '772021', false],
    ['771020', '77102012', false],
    ['771', '772', false],
    ['1771', '0771', true],
  ])('%s and %s are nearly the same: %s', (one, other, expected) => {
    expect(isNearlySame(one, other)).toBe(expected)
    expect(isNearlySame(other, one)).toBe(expected)
  })

  it('are folded, bared and shaped', () => {
    expect(foldId(' O’Dell-1 ')).toBe("o'dell-1")
    expect(bareId('105-10 Ñ.1')).toBe('10510ñ1')
    expect(shapeOf('H-00017')).toBe('A-99999')
  })

  const placeholders = [
    '',
    ' - ',
    '0',
    '00000',
    '111111',
    '9999999',
    '123456',
    '0123456789',
    '98765432',
    '321098',
    'UNKNOWN',
    'n/a',
    'No Name',
    'Anonym',
    'Anonyme',
    'anónimo',
    'Desconhecido',
    'sconosciuta1',
    'TEST',
    'test12',
    'Patient',
    'PAZIENTE',
    'NN',
    'Ninguno',
    'keine',
    'aucun',
    'ward3',
    'SN20144',
    'Room-12',
    'LAB 7',
  ]
  const known = placeholders.filter((id) => id !== 'sconosciuta1')
  it.each(known)('"%s" is no identity', (id) => expect(isIdle(id)).toBe(true))

  it.each([
    '11111',
    '12345',
    '112233',
    '123457',
    '771020',
    'K7',
    'SN',
    'TESTA771',
    'WARDA',
    'MRN000123',
    'NNADI',
  ])('"%s" may be one', (id) => {
    expect(isIdle(id)).toBe(false)
  })
})

describe('digits that are the time of the picture', () => {
  const taken = new Date(2026, 10, 20, 14, 25, 10, 500).getTime()
  const midnight = new Date(2026, 10, 20).getTime()
  it.each([
    ['142510', true],
    ['142700', true],
    ['142712', false],
    // 14:24:70
    ['142470', false],
    ['1425105', true],
    ['1427129', false],
    ['14251050', true],
    ['142510500', true],
    [String(taken), true],
    [String(Math.floor(taken / 1_000)), true],
    // The millisecond of the day: as long as the number of a patient.
    [String(taken - midnight), false],
    [String(taken + 3_600_000), false],
    ['771020', false],
    ['142', false],
    ['14251O', false],
  ])('%s: %s', (digits, expected) => {
    expect(isTimeOf(digits, [taken])).toBe(expected)
    expect(isTimeOf(digits, [0, taken])).toBe(expected)
    expect(isTimeOf(digits, [])).toBe(false)
  })
})

describe('a number looks like one', () => {
  it.each(
    `771020 17 004512 00041 H-00007 HC-004512 H-00017 P238309 NHC5512 AIREADI-12347 59870621-L X2210292L R-229-L 105-10-0989-3
    12.345.679 943-476-5919 130669-77165 19570311+1234 1011/2 N-9-8 3f2a9c17 RSSMRA57C11H501X MRN393466
    OS-1231417 2026-41207 MAR-20417 kowa_4471025 topcon-90217 Klinik20417 praxis3_771020 optomed.50128814`.split(
      /\s+/,
    ),
  )('%s', (id) => expect(isLikeNumber(id)).toBe(true))

  it.each(['943 476 5919', 'MR/2023/4417', 'Pat 50412', 'MRD NO 50412', 'Pat-Nr 771020', 'K/2210 B'])(
    '%s',
    (id) => expect(isLikeNumber(id)).toBe(true),
  )

  it.each(
    `#N/A #REF! #DIV/0! TBD patient nan NaN None N.A. null 0000 - -1 -9 ? unbekannt 1 7 999 9999 1234 4321 77777 0-0-0
    000-00-0000 99 212121 456456 14MP 90dB 00x00 0b0 09 00004 0-0-3 A000000 12121212 pending see-notes lost VIP walk-in newborn2 visit3 scan0012 image004 exam2024 DSC00412
    camera12 test20417 dummy4471 anonymous-2210 unknown20261120 room412 right12 izquierdo20 512x512 3072×2048 45deg 50°
    200um 70kg 12.5mm 045Y 018M 1.2E+05 1,234E5 1.25 2026-11-20 20.11.2026 20-Nov-2026 Nov2026 1.2.840.10008.5.1 <501288>
    kowa_12 zeiss-2024 station_4471025812 device-4471025 unit.4471025 501288? 501288* {501288} a@b12.example 501288,612004 501288;612004 501288|612004 501288--2
    UNK-00412 TMP10422 DOE-4471`.split(/\s+/),
  )('not %s', (id) => expect(isLikeNumber(id)).toBe(false))

  it.each(['Room 5', 'no number 12', 'Lopez Garcia 1957', 'second visit 12', 'left eye 20', '', '   '])(
    'not "%s"',
    (id) => expect(isLikeNumber(id)).toBe(false),
  )
})

describe('a number in the spelling of a program', () => {
  it.each<readonly [string, string | null]>([
    ['501288', '501288'],
    [' 501288\u00a0', '501288'],
    ['="0017"', '0017'],
    ["'0017", '0017'],
    ['"0017"', '0017'],
    ['50128８', '501288'],
    ['٥٠١٢٨٨', '501288'],
    ['\ufeff501288\u200b', '501288'],
    ['\u200eH-50128\u200f', 'H-50128'],
    // A line was broken here, or two cells were joined.
    ['501\u200b288', null],
    ['0050\u00ad128', null],
    ['H\u2060501288', null],
    ['٥٠١\u200e٢٨٨', null],
    ['0017^^^CLINIC^MR', '0017'],
    // A second component may be the end of the number.
    ['501288^6^M11', null],
    ['501288^^^A~612004^^^B', null],
    ['501288\\612004', null],
    ['501\u0000288', null],
    ['501\n288', null],
    ['1.23E+11', null],
    ['5012²', null],
    ['501\u00ad288', null],
    ['H\u00ad501288', null],
    ['0050\u00ad\u00ad1288', null],
    ['501288\u00ad', '501288'],
    ['501288/612004', null],
    ['501288 / 99871', null],
    ['H-50128 & H-61200', null],
    ['501288 + 612004 + 733190', null],
    ['501288 y 612004', null],
    ['501288;612004', null],
    ['2024/00012', '2024/00012'],
    ['19570311+1234', '19570311+1234'],
    ['501288/12', '501288/12'],
    ['943 476 5919', '943 476 5919'],
    // Decimals may have dropped zeros in front: they stay, and are no number.
    ['17.0', '17.0'],
    ['501288,00', '501288,00'],
    ['501288.5', '501288.5'],
  ])('%j: %j', (text, number) => expect(unwrapNumber(text)).toBe(number))
})

describe('the day, the moment or a birth date', () => {
  const at = new Date('2026-11-20T14:25:10').getTime()
  it.each([
    ['20261120', true],
    ['201126', true],
    ['2026-11-20', true],
    ['20261120142510', true],
    ['20261119232510', true],
    ['20261120-1425', true],
    ['142510', true],
    ['140231', true],
    ['142931', false],
    ['134955', false],
    ['19570311', true],
    ['110357', true],
    // Milliseconds and seconds of the day.
    ['51910000', true],
    ['51910', true],
    ['51912', false],
    // A running number of the day, another day, another time.
    ['20261120003', false],
    ['20261120-0904', false],
    ['20260811', false],
    ['101112', false],
    ['110357-1234', false],
    ['H-20261120', false],
    // With the very moment it is one, whatever is in front of it; of another moment it is a number.
    ['P20261120142510', true],
    ['ID_20261120_142510', true],
    ['CAM-201126142510', true],
    ['P20261120090455', false],
    // Nations count their people behind a birth date.
    ['570311-10-1234', false],
    ['570311-1034567', false],
    ['5703110905087', false],
  ])('%s: %s', (id, expected) => expect(isDayOrTimeOf(id, [at], [], ['1957-03-11'])).toBe(expected))
})
