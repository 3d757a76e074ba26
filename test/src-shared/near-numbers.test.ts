/** Which numbers of patients are easily taken for one another, by which characters, and for whom that is no question. */
import { describe, expect, it } from 'vitest'
import { isNeighbour, nearMarks } from '../../src-shared/near-numbers.ts'

const EQUAL_OR_FAR = null

it.each([
  ['one character is another', 'H-00021', 'H-00027', [6], [6]],
  ['two are others in long numbers', '50128844', '59128044', [1, 5], [1, 5]],
  ['two are others in short ones', 'H-00528', 'H-00398', EQUAL_OR_FAR, EQUAL_OR_FAR],
  ['two neighbours changed places', '501288', '501828', [3, 4], [3, 4]],
  ['two that are no neighbours did', '501238', '531208', [1, 4], [1, 4]],
  ['three are others', '501288', '591270', EQUAL_OR_FAR, EQUAL_OR_FAR],
  ['one is missing inside', '501288', '50188', [3], []],
  ['one is missing at the end', '501288', '50128', [5], []],
  ['one is missing in front', '01288', '501288', [], [0]],
  ['one of two equal ones is missing', '5001', '50001', [], [3]],
  ['one is missing and another is other', '501288', '50187', EQUAL_OR_FAR, EQUAL_OR_FAR],
  ['two are missing', '501288', '5012', EQUAL_OR_FAR, EQUAL_OR_FAR],
  ['they are equal', '501288', '501288', EQUAL_OR_FAR, EQUAL_OR_FAR],
  ['only capitals differ', 'a-501', 'A-501', EQUAL_OR_FAR, EQUAL_OR_FAR],
  ['a letter beyond the first plane counts as one', '\u{1D400}501', '\u{1D400}502', [3], [3]],
  ['they are short', '12', '13', EQUAL_OR_FAR, EQUAL_OR_FAR],
  ['one of them is short', '123', '1234', EQUAL_OR_FAR, EQUAL_OR_FAR],
] as const)('if %s', (_name, one, other, marks, marksOfOther) => {
  expect(nearMarks(one, other)).toEqual(marks)
  expect(nearMarks(other, one)).toEqual(marksOfOther)
})

describe('a near number', () => {
  const of = (history_number: string, last_name?: string, first_name?: string) => ({
    history_number,
    ...(last_name !== undefined && { last_name }),
    ...(first_name !== undefined && { first_name }),
  })
  it.each([
    ['of another name', of('501288', 'Testwood', 'Ana'), of('501289', 'Demoson', 'Eva'), true],
    ['of the same person', of('501288', 'Testw\u00f3od', 'Ana'), of('501289', 'ana', 'TESTWOOD'), false],
    ['of a longer name', of('501288', 'Testwood'), of('501289', 'Testwood', 'Ana'), true],
    ['without names', of('501288'), of('501289'), true],
    ['of one name', of('501288', 'Testwood'), of('501289'), true],
    [
      'in another script',
      of('501288', '\u0418\u0432\u0430\u043d'),
      of('501289', '\u041f\u0435\u0442\u0440'),
      true,
    ],
    ['that is far', of('501288', 'Testwood'), of('777777', 'Demoson'), false],
  ])('%s', (_name, one, other, isAsked) => {
    expect(isNeighbour(one, other)).toBe(isAsked)
    expect(isNeighbour(other, one)).toBe(isAsked)
  })
  it('is none of a case without a number', () => expect(isNeighbour({}, of('501288'))).toBe(false))
})
