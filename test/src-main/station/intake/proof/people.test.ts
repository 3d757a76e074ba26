import { describe, expect, it } from 'vitest'
import { contradictionOf, mayBeOneName, nameTerms, type Person } from '../../../../../src-main/station/intake/meaning/persons.ts'
import { nameTermsInPath } from '../../../../../src-main/station/intake/proof/named-people.ts'

describe('the terms of a name', () => {
  it.each([
    ['GARCÍA LÓPEZ', 'María-José', 'garcia lopez maria jose'],
    ["O'Connor", 'Pat', 'oconnor pat'],
    ['D’Angelo', null, 'dangelo'],
    ['von der Heide', 'Groß', 'heide gross'],
    ['de la Cruz', null, 'cruz'],
    ['Søren', 'Łukasz', 'soren lukasz'],
    ['ANONYMOUS', null, ''],
    ['Unknown', 'Patient', ''],
    ['王', '小明', '王 小明'],
    [null, null, ''],
  ])('%s, %s', (last, first, terms) => {
    expect(nameTerms(last, first).join(' ')).toBe(terms)
  })
})

describe('two names', () => {
  it.each([
    ['garcia luis', 'luis garcia', true],
    ['garcia l', 'garcia luis', true],
    ['garcia', 'garcia lopez ana', true],
    ['garcia luis', '', true],
    ['maximilia', 'schmidt maximiliane', true],
    ['garcia luis', 'garcia ana', false],
    ['garcia l', 'garcia ana', false],
    ['garcia', 'lopez', false],
    ['garcia garcia', 'garcia lopez', false],
    ['ng', 'nguyen', false],
    ['ana', 'anabel', false],
    ['ana', 'mariana', false],
  ])('%s | %s may be of one person: %s', (one, other, expected) => {
    const [ours, theirs] = [one, other].map((name) => name.split(' ').filter(Boolean))
    expect(mayBeOneName(ours ?? [], theirs ?? [])).toBe(expected)
    expect(mayBeOneName(theirs ?? [], ours ?? [])).toBe(expected)
  })
})

describe('what contradicts', () => {
  const person: Person = { lastName: 'Vidal', firstName: 'Noa', birthDate: '1951-02-03', sex: 'F' }
  const none: Person = { lastName: null, firstName: null, birthDate: null, sex: null }
  it.each<readonly [Partial<Person>, string | null]>([
    [{}, null],
    [{ lastName: 'NOA', firstName: 'VIDAL' }, null],
    [{ lastName: 'ANONYMOUS', firstName: null }, null],
    [none, null],
    [{ firstName: 'Hugo' }, 'name'],
    [{ birthDate: '1951-03-02' }, 'birthDate'],
    [{ birthDate: null }, null],
    [{ sex: 'M' }, 'sex'],
    [{ sex: 'male' }, 'sex'],
    [{ sex: 'weiblich' }, null],
    [{ sex: 'O' }, null],
    [{ firstName: 'Hugo', sex: 'M' }, 'name'],
  ])('%j: %s', (change, part) => {
    expect(contradictionOf(person, { ...person, ...change })).toBe(part)
    expect(contradictionOf({ ...person, ...change }, person)).toBe(part)
  })
})

describe('names in paths', () => {
  it.each([
    ['771020 García Luis/771020_OD_1.jpg', 'garcia luis'],
    ["660418-D'AMICO/OD.jpg", 'damico'],
    ['LOPEZ ANA_004577/20261120-101502_OS_Color_ebcd.jpg', 'lopez ana'],
    ['Sala 3/Retina OD/IMG_0001.JPG', ''],
    ['Topcon/UNKNOWN/R_1.jpg', ''],
    ['K_771020.jpg', ''],
    ['Historia 771020/NHC_OD.jpg', ''],
    ['771020_m3_OD.jpg', ''],
    ['771020_van der Berg.jpg', 'berg'],
    ['Dr Patel/771020.jpg', 'patel'],
  ])('%s', (path, terms) => {
    expect(nameTermsInPath(path).join(' ')).toBe(terms)
  })
})
