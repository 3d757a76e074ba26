import { describe, expect, it } from 'vitest'
import type { Sidecar } from '../../../../../src-main/station/cases/meaning/sources.ts'
import { readAs, recordAs } from './read-as.ts'

function valueOf(content: unknown): Sidecar {
  return recordAs('x/Case.json', typeof content === 'string' ? content : JSON.stringify(content))
}

describe('a case.json', () => {
  it('gives the fields under the names of the interface, and the eyes of the images', () => {
    const content = {
      history_number: 'H-00017',
      first_name: 'Ana',
      last_name: 'Muñoz Peña',
      gender: 1,
      age: 54,
      diabetes: 0,
      visit_date: '2026-11-20',
      visit_reason: 'screening\nyearly',
      od_iop: 14,
      os_sphere: -1.25,
    }
    expect(valueOf({ ...content, images: { 'a.jpg': 'OD', 'b.jpg': 'OS' } })).toEqual({
      fields: content,
      birthDate: null,
      files: ['a.jpg', 'b.jpg'],
      eyes: { 'a.jpg': 'right', 'b.jpg': 'left' },
      capture: expect.any(String) as string,
      rejected: [],
    })
  })

  const marked = '\ufeff{"last_name": "Muñoz"}'
  it.each([
    ['UTF-8', Buffer.from(marked.slice(1))],
    ['UTF-8 with a byte order mark', Buffer.from(marked)],
    ['UTF-16, little end first', Buffer.from(marked, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(marked, 'utf16le').swap16()],
  ])('is read in %s', (_, bytes) => {
    expect(recordAs('case.json', bytes).fields).toEqual({ last_name: 'Muñoz' })
  })

  it.each<readonly [field: string, stated: unknown, value: unknown]>([
    ['od_iop', '14', 14],
    ['od_sphere', '-1,25', -1.25],
    ['od_sphere', '+0.5', 0.5],
    ['od_sphere', '\u22122', -2],
    ['od_cylinder', ',75', 0.75],
    ['age', '54', 54],
    ['od_iop', 300, 300],
    ['gender', 'male', 0],
    ['gender', 'Female', 1],
    ['gender', 'F', 1],
    ['gender', '1', 1],
    ['diabetes', 'yes', 1],
    ['diabetes', false, 0],
    ['history_number', 17, '17'],
    ['history_number', ' 004512 ', '004512'],
    ['visit_date', '20261120', '2026-11-20'],
    ['visit_date', '2026-11-20T23:30:00.000+02:00', '2026-11-20'],
    ['first_name', 'A\u0000na\u0007', 'Ana'],
  ])('takes %s %j as %j', (field, stated, value) => {
    expect(valueOf({ [field]: stated })).toMatchObject({ fields: { [field]: value }, rejected: [] })
  })

  it.each<readonly [field: string, stated: unknown, expected: string]>([
    ['od_va', '20/40', 'number'],
    ['od_sphere', '1,234.5', 'number'],
    ['od_iop', '14 mmHg', 'number'],
    ['od_iop', [14], 'number'],
    ['od_iop', 'NaN', 'number'],
    ['gender', 2, 'gender'],
    ['gender', 'w', 'gender'],
    ['gender', true, 'gender'],
    ['gender', 'constructor', 'gender'],
    ['diabetes', 'type 2', 'diabetes'],
    ['visit_date', '20-11-2026', 'day'],
    ['visit_date', '11/20/2026', 'day'],
    ['visit_date', '2026-02-30', 'day'],
    ['history_number', 2 ** 60, 'text'],
    ['history_number', { id: 1 }, 'text'],
    ['last_name', 'x'.repeat(10_001), 'length'],
  ])('does not take %s %j, says that a %s is expected, and takes the rest', (field, stated, expected) => {
    const value = valueOf({ [field]: stated, visit_reason: 'screening' })
    expect(value.fields).toEqual({ visit_reason: 'screening' })
    const values = { name: field, expected: { key: `intake:dataFile.expected.${expected}` } }
    expect(value.rejected).toMatchObject([{ field, wording: { values } }])
  })

  it('that leaves a field empty states nothing, and knows the names of the interface only', () => {
    const content = { last_name: '', first_name: '  ', gender: null, od_iop: '' }
    expect(valueOf(content)).toMatchObject({ fields: {}, rejected: [] })
    expect(valueOf({ history_number: '1', History_Number: '2' }).fields).toEqual({ history_number: '1' })
  })

  it('takes the eyes as they are commonly written, and asks about the others', () => {
    const clear = { a: 'od', b: 'OI', c: 'Left', d: 'R', e: 'unknown', j: '', k: null }
    const value = valueOf({ images: { ...clear, f: 'D', g: 'I', h: 1, i: 'OD1' } })
    expect(value.eyes).toEqual({ a: 'right', b: 'left', c: 'left', d: 'right' })
    const asked = value.rejected.map(({ message }) => /The eye of (.)/.exec(message)?.[1])
    expect(asked).toEqual(['f', 'g', 'h', 'i'])
  })

  it('names files inside its folder only', () => {
    const inside = { 'OD\\1.jpg': 'OD', './2.jpg': 'OS' }
    const outside = { '../3.jpg': 'OD', '/etc/4.jpg': 'OD', 'C:\\5.jpg': 'OD', 'a/../../6.jpg': 'OD' }
    const value = valueOf({ images: { ...inside, ...outside } })
    expect(value.eyes).toEqual({ 'OD/1.jpg': 'right', '2.jpg': 'left' })
    expect(value.rejected).toHaveLength(4)
  })

  it('with names that every object has changes nothing but itself', () => {
    const images = '{"__proto__": "OD"}'
    const value = valueOf(
      `{"history_number": "1", "__proto__": {"age": 1}, "constructor": 1, "images": ${images}}`,
    )
    expect(value.fields).toEqual({ history_number: '1' })
    expect(Object.entries(value.eyes)).toEqual([['__proto__', 'right']])
    expect(({} as { age?: unknown }).age).toBeUndefined()
  })

  it('with images that are no object loses only these', () => {
    expect(valueOf({ history_number: '1', images: ['a.jpg'] })).toMatchObject({
      fields: { history_number: '1' },
      eyes: {},
      rejected: [{ field: 'images' }],
    })
  })

  it.each<readonly [what: string, bytes: Buffer, why: string]>([
    ['is cut off', Buffer.from('{"history_number": "H-0'), 'noJson'],
    ['is empty', Buffer.alloc(0), 'noJson'],
    ['is a list', Buffer.from('[1]'), 'noJson'],
    ['is only null', Buffer.from('null'), 'noJson'],
    ['is nested without end', Buffer.from('['.repeat(100_000)), 'noJson'],
    ['is Latin-1', Buffer.from('{"last_name": "Muñoz"}', 'latin1'), 'encoding'],
    ['is an image', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'encoding'],
    ['holds nothing of a case', Buffer.from('{"window": {"width": 3}}'), 'noCase'],
    ['is larger than any', Buffer.alloc(1_024 * 1_024 + 1, ' '), 'tooLarge'],
  ])('that %s gives nothing and says why', (_, bytes, why) => {
    expect(readAs('case.json', bytes)).toMatchObject({
      ok: false,
      wording: { values: { problem: { key: `intake:problem.${why}` } } },
    })
  })
})
