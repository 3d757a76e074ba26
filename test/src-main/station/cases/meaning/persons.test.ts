import { describe, expect, it } from 'vitest'
import {
  contradictionOf,
  isSameTerm,
  mayBeOneName,
  nameTerms,
  type Person,
  splitName,
} from '../../../../../src-main/station/cases/meaning/persons.ts'

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
    ['maximili', 'schmidt maximiliane', true],
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

describe('two words of names', () => {
  it.each<readonly [string, string, boolean]>([
    ['maximili', 'maximilian', true],
    ['schwarzenb', 'schwarzenberger', true],
    ['mueller', 'muller', true],
    ['a', 'ana', true],
    // An ending makes another name of one.
    ['leopoldo', 'leopold', false],
    ['wilhelmin', 'wilhelmina', false],
    ['stepanov', 'stepanova', false],
    ['gottfried', 'gottfriede', false],
    ['mae', 'ma', false],
    ['danae', 'dana', false],
    // As they sound.
    ['щербаков', 'shcherbakov', true],
    ['юлия', 'yulia', true],
    ['юлия', 'julia', true],
    ['хачатурян', 'khachaturyan', true],
    ['παπαδοπουλου', 'papadopoulou', true],
    ['щербаков', 'petrov', false],
    ['παπαδοπουλου', 'papadopoulos', false],
  ])('%s, %s: one is %s', (one, other, isOne) => {
    expect(isSameTerm(one, other)).toBe(isOne)
    expect(isSameTerm(other, one)).toBe(isOne)
  })
})

describe('last and first name in one text', () => {
  it.each([
    ['Vidal^Noa', 'Vidal|Noa'],
    ['Vidal^Noa^Luz^Dr^', 'Vidal|Noa Luz'],
    ['^^=Vidal^Noa=', 'Vidal|Noa'],
    ['Vidal Ruiz, Noa', 'Vidal Ruiz|Noa'],
    ['Vidal_Noa', 'Vidal|Noa'],
    ['Vidal^', 'Vidal|-'],
    ['Vidal Ruiz Noa', 'unclear'],
    ['Vidal, Noa, Luz', 'unclear'],
    ['Vidal', 'unclear'],
  ])('%s: %s', (text, expected) => {
    const names = splitName(text, 'lastFirst')
    expect(names ? `${names.lastName ?? '-'}|${names.firstName ?? '-'}` : 'unclear').toBe(expected)
  })

  it('is in the order of the clinic, but a comma ends the last name', () => {
    expect(splitName('Noa Vidal', 'firstLast')).toEqual({ lastName: 'Vidal', firstName: 'Noa' })
    expect(splitName('Vidal, Noa', 'firstLast')).toEqual({ lastName: 'Vidal', firstName: 'Noa' })
  })
})
