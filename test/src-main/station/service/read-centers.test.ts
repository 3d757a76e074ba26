import { describe, expect, it } from 'vitest'
import { readCenters } from '../../../../src-main/station/service/centers.ts'
import { fc } from '../../../tools/property.ts'
import { answerLike, withoutIds } from './hostile-json.ts'

const center = (centerId: string, name: string | null, isCurrent: boolean | null = null): unknown => ({
  centerId,
  name,
  isCurrent,
})
const NORTH_AND_SOUTH = [center('101', 'North'), center('102', 'South')]

describe('readCenters', () => {
  it.each<[string, unknown]>([
    [
      'an array',
      [
        { id: 101, name: 'North' },
        { id: 102, name: 'South' },
      ],
    ],
    [
      'center_id and title',
      [
        { center_id: '101', title: 'North' },
        { center_id: '102', title: 'South' },
      ],
    ],
    [
      'uuid and description',
      {
        centers: [
          { uuid: '101', description: 'North' },
          { uuid: '102', description: 'South' },
        ],
      },
    ],
    [
      'content',
      {
        success: true,
        content: [
          { id: 101, name: 'North' },
          { id: 102, name: 'South' },
        ],
      },
    ],
    [
      'data, one deeper',
      {
        data: {
          centers: [
            { id: 101, name: 'North' },
            { id: 102, name: 'South' },
          ],
        },
      },
    ],
    ['a map of id to name', { 101: 'North', 102: 'South' }],
    ['a map in content', { success: true, content: { 101: 'North', 102: 'South' } }],
    ['a map of id to center', { 101: { name: 'North' }, 102: { name: 'South' } }],
    ['each wrapped', [{ center: { id: 101, name: 'North' } }, { center: { id: 102, name: 'South' } }]],
  ])('reads %s', (_name, json) => {
    expect(readCenters(json)).toEqual(NORTH_AND_SOUTH)
  })

  it.each<[string, unknown, (boolean | null)[]]>([
    [
      'current',
      [
        { id: 1, current: false },
        { id: 2, current: true },
      ],
      [false, true],
    ],
    [
      'is_current as number',
      [
        { id: 1, is_current: 1 },
        { id: 2, is_current: 0 },
      ],
      [true, false],
    ],
    [
      'active for one',
      [
        { id: 1, active: true },
        { id: 2, active: false },
      ],
      [true, false],
    ],
    [
      'active for all',
      [
        { id: 1, active: true },
        { id: 2, active: true },
      ],
      [null, null],
    ],
    [
      'active for all and selected for one',
      [
        { id: 1, active: true },
        { id: 2, active: true, selected: true },
      ],
      [false, true],
    ],
    [
      'nobody',
      [
        { id: 1, current: false },
        { id: 2, current: false },
      ],
      [null, null],
    ],
    ['the current id beside the list', { current_center: 2, centers: [{ id: 1 }, { id: 2 }] }, [false, true]],
    [
      'the current center beside the list',
      { content: { current_center: { id: 1 }, centers: [{ id: 1 }, { id: 2 }] } },
      [true, false],
    ],
    ['a page number', { current: 1, data: [{ id: 1 }, { id: 2 }] }, [null, null]],
    [
      'a current id that is not in the list',
      { current_center: 9, centers: [{ id: 1 }, { id: 2 }] },
      [false, false],
    ],
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
