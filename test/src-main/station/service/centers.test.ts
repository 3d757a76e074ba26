import { describe, expect, it } from 'vitest'
import { readCenters } from '../../../../src-main/station/service/cases.ts'
import { fc } from '../../../tools/property.ts'
import { answerLike, withoutIds } from './hostile-json.ts'

const center = (centerId: string, name: string | null, isCurrent: boolean | null = null): unknown => ({
  centerId,
  name,
  isCurrent,
})
const LISTED = [
  { id: 101, name: 'North' },
  { id: 102, name: 'South' },
]
const NORTH_AND_SOUTH = [center('101', 'North'), center('102', 'South')]

describe('readCenters', () => {
  it.each<[string, unknown]>([
    ['an array', LISTED],
    ['center_id and title', LISTED.map(({ id, name }) => ({ center_id: String(id), title: name }))],
    [
      'uuid and description',
      { centers: LISTED.map(({ id, name }) => ({ uuid: String(id), description: name })) },
    ],
    ['content', { success: true, content: LISTED }],
    ['data, one deeper', { data: { centers: LISTED } }],
    ['a map of id to name', { 101: 'North', 102: 'South' }],
    ['a map in content', { success: true, content: { 101: 'North', 102: 'South' } }],
    ['a map of id to center', { 101: { name: 'North' }, 102: { name: 'South' } }],
    ['each wrapped', LISTED.map((one) => ({ center: one }))],
  ])('reads %s', (_name, json) => {
    expect(readCenters(json)).toEqual(NORTH_AND_SOUTH)
  })

  const two = (one: object, other: object): object[] => [
    { id: 1, ...one },
    { id: 2, ...other },
  ]
  it.each<[string, unknown, (boolean | null)[]]>([
    ['current', two({ current: false }, { current: true }), [false, true]],
    ['is_current as number', two({ is_current: 1 }, { is_current: 0 }), [true, false]],
    ['active for one', two({ active: true }, { active: false }), [true, false]],
    ['active for all', two({ active: true }, { active: true }), [null, null]],
    [
      'active for all, selected for one',
      two({ active: true }, { active: true, selected: true }),
      [false, true],
    ],
    ['none', two({ current: false }, { current: false }), [null, null]],
    ['the current id beside the list', { current_center: 2, centers: two({}, {}) }, [false, true]],
    [
      'the current center beside the list',
      { content: { current_center: { id: 1 }, centers: two({}, {}) } },
      [true, false],
    ],
    ['a page number', { current: 1, data: two({}, {}) }, [null, null]],
    ['a current id that is not in the list', { current_center: 9, centers: two({}, {}) }, [false, false]],
  ])('reads the mark of %s', (_name, json, marks) => {
    expect(readCenters(json)?.map((item) => item.isCurrent)).toEqual(marks)
  })

  it.each<[string, unknown]>([
    ['success:false', { success: false, content: [] }],
    ['an error', { error: 'x' }],
    ['a single center', { id: '5', name: 'North' }],
    ['a message', { message: 'hello' }],
    ['something else', { user: { name: 'x' } }],
    ['names without ids', ['North', 'South']],
    ['a text', 'x'],
  ])('finds no centers in %s', (_name, json) => {
    expect(readCenters(json)).toBeNull()
  })

  it.each<[string, unknown]>([
    ['null', null],
    ['an empty array', []],
    ['an empty envelope', { centers: [] }],
  ])('reads %s as none', (_name, json) => {
    expect(readCenters(json)).toEqual([])
  })

  it('knows a center number 0', () => {
    expect(readCenters([{ id: 0, name: 'Main' }])).toEqual([center('0', 'Main')])
  })

  it('never throws and never marks two', () => {
    fc.assert(
      fc.property(answerLike, (json) => {
        expect((readCenters(json) ?? []).filter((item) => item.isCurrent).length).toBeLessThan(2)
      }),
    )
  })

  it('never makes a center out of nothing', () => {
    fc.assert(
      fc.property(withoutIds, (json) => {
        expect((readCenters(json) ?? []).filter((item) => item.centerId !== '0')).toEqual([])
      }),
    )
  })
})
