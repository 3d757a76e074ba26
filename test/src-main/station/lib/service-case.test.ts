import { describe, expect, it } from 'vitest'
import {
  caseOfId,
  countImages,
  countImagesInAnswer,
  hasId,
  idsOf,
  isRejected,
  reportMarkOf,
  saysAnswered,
  unambiguousIdsOf,
  urgencyRank,
} from '../../../../src-main/station/lib/service-case.ts'
import type { ServiceCase } from '../../../../src-shared/case.ts'

function serviceCase(caseId: string, raw: Record<string, unknown>): ServiceCase {
  const unstated = { state: null, historyNumber: null, firstName: null, lastName: null, visitDate: null }
  return { caseId, ...unstated, createdAt: null, urgency: null, raw }
}

it.each<[raw: Record<string, unknown>, ids: string[], unambiguous: string[]]>([
  [{ id: 17 }, ['17'], ['17']],
  [{ id: 17, uuid: 'a-1' }, ['17', 'a-1'], ['17', 'a-1']],
  // A second number may be the first of another case.
  [{ id: 17, case_id: 91 }, ['17', '91'], ['17']],
  [{ id: 17, caso: '', uuid: null, caso_id: 0 }, ['17'], ['17']],
  [{ id: 17, notes: 'x', caseId: { id: 5 } }, ['17'], ['17']],
  [{ id: 17, caso: 'seen \ud83d' }, ['17'], ['17']],
])('the ids of %j', (raw, ids, unambiguous) => {
  const one = serviceCase('17', raw)
  expect([idsOf(one), unambiguousIdsOf(one)]).toEqual([ids, unambiguous])
  expect([hasId(one, ids.at(-1) ?? ''), hasId(one, 'x')]).toEqual([true, false])
})

it('a case is found by the id that it is read under before any other, and by no id that two have', () => {
  const [first, second, third] = [
    serviceCase('1', { id: 1, case_id: 2 }),
    serviceCase('2', { id: 2, case_id: 3 }),
    serviceCase('4', { id: 4, caso: 3 }),
  ]
  const found = ['1', '2', '3', '5'].map((id) => caseOfId([first, second, third], id))
  expect(found).toEqual([first, second, undefined, undefined])
  expect(caseOfId([first, second], '3')).toBe(second)
})

it.each([
  ['reject', true],
  ['Rejected', true],
  [' REJECT ', true],
  ['rejected_quality', true],
  ['rechazado', true],
  ['reported', false],
  ['not rejected', false],
  ['pending', false],
  [null, false],
])('the state %s: rejected %s', (state, expected) => {
  expect(isRejected(state)).toBe(expected)
})

it.each([
  ['reported', null, true],
  ['reject', null, true],
  ['pending', 'there', true],
  ['pending', 'notThere', false],
  ['received', null, false],
  ['unreported', null, false],
  [null, null, false],
] as const)('the state %s with the mark %s: answered %s', (state, mark, expected) => {
  expect(saysAnswered({ state, mark })).toBe(expected)
})

it.each<[Record<string, unknown>, ReturnType<typeof reportMarkOf>]>([
  [{}, null],
  [{ id: 5, state: 'pending' }, null],
  [{ has_report: false }, 'notThere'],
  [{ has_report: 1 }, 'there'],
  [{ has_report: '0' }, 'notThere'],
  [{ report: null }, 'notThere'],
  [{ report: {} }, 'notThere'],
  [{ report_url: 'https://x.example/r' }, 'there'],
  [{ reported: 'false', report_id: 9 }, 'there'],
])('the mark of %j is %s', (raw, mark) => {
  expect(reportMarkOf({ raw })).toBe(mark)
})

it.each([
  ['urgent', 2],
  ['URGENT ', 2],
  ['preferential', 1],
  ['normal', 0],
  ['routine', 0],
  [null, 0],
])('the urgency %s ranks %i', (urgency, rank) => {
  expect(urgencyRank(urgency)).toBe(rank)
})

describe('the number of images that an answer shows', () => {
  it.each<[name: string, value: unknown, count: number | null]>([
    [
      'an array of images',
      {
        id: 7,
        images: [
          { name: 'a.jpg', size: 10 },
          { name: 'b.jpg', size: 12 },
        ],
      },
      2,
    ],
    ['an array of names', { images: ['a.jpg', 'b.jpg', 'c.jpg'] }, 3],
    ['an array of ids', { image_ids: [31, 32] }, 2],
    ['an array of ids in camel case', { imageIds: ['31', '32', '33'] }, 3],
    ['an empty array', { images: [] }, 0],
    ['a number', { images: 3 }, 3],
    ['a count', { image_count: 2 }, 2],
    ['a count as text', { numberOfImages: '4' }, 4],
    ['a count in Spanish', { numero_imagenes: 2 }, 2],
    ['an object by id', { images: { 31: { url: 'u' }, 32: { url: 'v' } } }, 2],
    ['an object by position, as PHP writes arrays with gaps', { images: { 0: 'a.jpg', 2: 'c.jpg' } }, 2],
    ['an object by eye', { images: { od: ['a.jpg', 'b.jpg'], os: ['c.jpg'] } }, 3],
    ['an object by eye with one each', { images: { OD: { url: 'u' }, OS: null } }, 1],
    ['a list of its own envelope', { images: { data: [{ id: 1 }, { id: 2 }], total: 9 } }, 2],
    ['a count in its own envelope', { images: { count: 5 } }, 5],
    ['one field for each eye', { od_images: ['a.jpg'], os_images: ['b.jpg', 'c.jpg'] }, 3],
    ['a count for each eye', { images_od: 1, images_os: 1 }, 2],
    ['nested by eye', { eyes: { od: { photos: ['a'] }, os: { photos: ['b', 'c'] } } }, 3],
    [
      'groups of images',
      {
        images: [
          { eye: 'OD', files: ['a', 'b'] },
          { eye: 'OS', files: ['c'] },
        ],
      },
      3,
    ],
    ['in the attributes of JSON:API', { id: '7', attributes: { pictures: [1, 2] } }, 2],
    ['in an envelope', { success: true, content: { id: 7, images: ['a', 'b'] } }, 2],
    ['beside the id in an envelope', { success: true, content: 55, images_saved: 2 }, 2],
    ['a text of names', { images: 'a.jpg,b.jpg, c.jpg' }, 3],
    ['a text of one name', { images: 'a.jpg' }, 1],
    ['a text with JSON', { images: '["a.jpg","b.jpg"]' }, 2],
    ['a text with a number and its noun', { images: '2 images' }, 2],
    ['files, if nothing else is stated', { files: ['a', 'b'] }, 2],
    ['the images before the files', { files: ['report.pdf'], images: ['a', 'b'] }, 2],
    ['the files, if the list of images is empty', { images: [], attachments: ['a', 'b'] }, 2],
    ['none of an image that is not there yet', { image: null }, null],
    ['the eyes, if the list of all is empty', { images: [], od_images: ['a'], os_images: ['b'] }, 2],
    ['in Spanish spelling', { imágenes: ['a', 'b'] }, 2],
    ['an empty list beside a number', { images: [], image_count: 3 }, 3],
    [
      'entries that hold their image',
      { images: [{ image: { id: 1, url: 'u' } }, { image: { id: 2, url: 'v' } }] },
      2,
    ],
    ['one image', { image: { id: 1, url: 'u' } }, 1],
    ['one case in an array', [{ id: 7, fotos: ['a'] }], 1],
  ])('%s', (_name, value, count) => {
    expect(countImages(value)).toBe(count)
  })

  it.each<[name: string, value: unknown]>([
    ['nothing about images', { id: 7, state: 'pending', history_number: 'H-7' }],
    ['only an id', 55],
    ['what was expected', { images_expected: 3, max_images: 20 }],
    ['a quality', { image_quality: 2, images_ok: true }],
    ['null', { images: null }],
    ['a sentence', { message: '2 images were stored' }],
    ['several cases', [{ images: ['a'] }, { images: ['b'] }]],
    ['a depth without end', { a: { b: { c: { d: { e: { images: [1] } } } } } }],
  ])('none in %s', (_name, value) => {
    expect(countImages(value)).toBeNull()
  })

  it('is read from a body as it was kept, and from none that was cut off', () => {
    const body = Buffer.from('{"success":true,"content":{"id":55,"images":["a","b"]}}')
    expect(countImagesInAnswer(body)).toBe(2)
    expect(countImagesInAnswer(body.subarray(0, 40))).toBeNull()
    expect(countImagesInAnswer(null)).toBeNull()
  })
})
