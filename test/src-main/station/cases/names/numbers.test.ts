import { describe, expect, it } from 'vitest'
import { numbersIn } from '../../../../../src-main/station/cases/names/numbers.ts'

/** Every number of a path: its readings, longest first, and `?` if it is not clear. */
function textOf(path: string): string {
  return numbersIn(path)
    .map(({ readings, standing }) => `${readings.join(' or ')}${standing === 'clear' ? '' : '?'}`)
    .join(', ')
}

type Row = readonly [path: string, numbers: string]

const whole: readonly Row[] = [
  // NHS, Norwegian, Swedish, Danish, Finnish
  ['943 476 5870_OD.jpg', '943 476 5870'],
  ['943-476-5870_OD.jpg', '943-476-5870'],
  ['130669 77165_OD.jpg', '130669 77165'],
  ['850417-3920_OD.jpg', '850417-3920'],
  ['19850417-3920_OD.jpg', '19850417-3920'],
  ['070761-4285_OD.jpg', '070761-4285'],
  ['010190-123A_OD.jpg', '010190-123A'],
  // Spanish NIF and NIE, Chilean RUT, Brazilian CPF, Swiss AHV, French NIR, Italian fiscal code, British NI number
  ['12345678Z_OD.jpg', '12345678Z'],
  ['X2210292L_OD.jpg', 'X2210292L'],
  ['X-2210292-K_OD.jpg', 'X-2210292-K'],
  ['14.569.484-K_OD.jpg', '14.569.484-K'],
  ['529.982.247-25_OD.jpg', '529.982.247-25'],
  ['756.1234.5678.97_OD.jpg', '756.1234.5678.97'],
  ['1 85 12 75 116 001 42_OD.jpg', '1 85 12 75 116 001 42'],
  ['RSSMRA85T10A562S_OD.jpg', 'RSSMRA85T10A562S'],
  ['AB123456C_OD.jpg', 'AB123456C'],
  // Prefixes, labels, signs
  ['HC-004512_OD.jpg', 'HC-004512'],
  ['MRN771020_OD.jpg', 'MRN771020'],
  ['MRN-771020_OD.jpg', 'MRN-771020'],
  ['MRN 771020_OD.jpg', '771020'],
  ['F_771020_OD.jpg', '771020'],
  ['#771020_OD.jpg', '771020'],
  ['105-10-0989-3_OD.jpg', '105-10-0989-3'],
  ['105–10–0989–3_OD.jpg', '105–10–0989–3'],
  ['771020.2026_OD.jpg', '771020'],
  ['771020-R2_1.jpg', '771020'],
  ['LOPEZ-ANA-771020-OD.jpg', '771020'],
  ['HC.004512_OD.jpg', '004512'],
  ['240165-1993_OD.jpg', '240165-1993'],
  ['677-741-2026_OD.jpg', '677-741-2026'],
  ['105-10-0989-3_/x.jpg', '105-10-0989-3'],
  ['771020OD.jpg', '771020'],
]

const open: readonly Row[] = [
  ['004512 1_OD.jpg', '004512 1 or 004512'],
  ['771020-2_OD.jpg', '771020-2 or 771020'],
  ['59870621-L.jpg', '59870621-L or 59870621'],
  ['59870621-L_OD.jpg', '59870621-L'],
  ['59870621-R-082549.jpg', '59870621-R or 59870621'],
  ['R-2290-K_OD.jpg', 'R-2290-K'],
  ['L-605-R/20260205_OD_1.jpg', 'L-605-R'],
  ['D-8114-E/20260205_OI_1.jpg', 'D-8114-E'],
  ['OS-1231417_R.jpg', 'OS-1231417 or 1231417'],
  ['612 345 001.jpg', '612 345 001 or 612 345'],
  ['30.123.456.jpg', '30.123.456'],
  ['41207-2026_OD.jpg', '41207-2026 or 41207'],
]

const none: readonly Row[] = [
  ['IMG_0012.jpg', ''],
  ['DSC00120.jpg', ''],
  ['771020 (2).jpg', '771020'],
  ['771020 (0123).jpg', '771020'],
  ['Sala 101/OD.jpg', ''],
  ['OD_1.jpg', ''],
  ['OD_0012.jpg', ''],
  ['771020_0012_OD.jpg', '771020'],
  ['20261120_101502_OD.jpg', ''],
  ['20261120/101502_OD.jpg', '101502?'],
  ['OD_101502.jpg', ''],
  ['20261120_Rossi_231502.jpg', ''],
  ['0012.jpg', ''],
  ['00012.jpg', ''],
  ['1795171234567.jpg', ''],
  ['DICOM/12345679', ''],
  ['100CANON/00120034.JPG', ''],
  ['I1000001', ''],
  ['00000001.jpg', ''],
  ['x_OD_133a.jpg', ''],
  ['x_OD_Color_4c21e0.jpg', ''],
  ['2026/11/20/771020_OD.jpg', '771020'],
  ['2026/11/20/0455/x.jpg', ''],
  ['000000_OD.jpg', ''],
  ['WARD322_OD.jpg', ''],
  ['UNKNOWN_771020_OD.jpg', '771020?'],
]

const weak: readonly Row[] = [
  ['101502.jpg', '101502?'],
  ['101502_Garcia.jpg', '101502?'],
  ['Rossi_133a.jpg', '133a'],
  ['x_OD_133a_Color.jpg', '133a'],
  ['031502.jpg', '031502'],
  ['Garcia_101502.jpg', '101502'],
  ['10_left.jpeg', '10?'],
  ['left_10.jpeg', ''],
  ['P1024.jpg', 'P1024?'],
  ['HC-512_OD.jpg', 'HC-512?'],
  ['00120.jpg', '00120?'],
  ['00120/x.jpg', '00120'],
]

const several: readonly Row[] = [
  ['a 771020/771020_OD.jpg', '771020, 771020'],
  ['443_071753790011_left.jpg', '443, 071753790011'],
  ['771020/OD/88123.jpg', '88123, 771020'],
  ['771020 K77123_OD.jpg', '771020, K77123'],
  ['771020K 77123_OD.jpg', '771020K, 77123'],
  ['2026/771/x.jpg', '771'],
]

describe('the numbers of a path', () => {
  it.each(whole)('are taken whole: %s', (path, numbers) => expect(textOf(path)).toBe(numbers))
  it.each(open)('have more than one reading: %s', (path, numbers) => expect(textOf(path)).toBe(numbers))
  it.each(none)('leave out counters, times, places: %s', (path, numbers) =>
    expect(textOf(path)).toBe(numbers),
  )
  it.each(weak)('may be weak: %s', (path, numbers) => expect(textOf(path)).toBe(numbers))
  it.each(several)('come from file and folders: %s', (path, numbers) => expect(textOf(path)).toBe(numbers))

  it('have a core that a counter does not change', () => {
    const cores = ['771020 1.jpg', '771020-12.jpg', '771020-L.jpg', '771020_OD.jpg'].map(
      (path) => numbersIn(path)[0]?.core,
    )
    expect(cores).toEqual(['771020', '771020', '771020', '771020'])
  })
})
