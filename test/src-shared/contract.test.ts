import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  calls,
  events,
  isBytesKind,
  isCallName,
  stationEventSchema,
  type CallName,
  type EventName,
} from '../../src-shared/contract.ts'
import { submissionSchema } from '../../src-shared/submission.ts'
import { syntheticImage, syntheticStatus, syntheticSubmission } from '../src-renderer/synthetic-submission.ts'

const callNames = Object.keys(calls) as CallName[]
const eventNames = Object.keys(events) as EventName[]

/** The names that the design has settled, so that scripts can rely on them. */
const SETTLED =
  `station.status station.pause station.resume submissions.list submissions.get submissions.create
  submissions.update submissions.approve submissions.retry submissions.prioritise submissions.hold
  submissions.release submissions.discard submissions.restore submissions.merge submissions.split
  submissions.resolve cases.list cases.get reports.list reports.get centers.list centers.change
  folders.tryProfile service.test settings.get settings.update audit.list`.split(/\s+/)

/** Throws for anything that JSON cannot express: dates, maps, sets, functions, big integers, instances of classes. */
const asJson = (schema: z.ZodType, io: 'input' | 'output'): string =>
  JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'throw' }))

describe('the calls', () => {
  it('are at least those that the design has settled, and no inherited names', () => {
    expect(SETTLED.filter((name) => !isCallName(name))).toEqual([])
    for (const name of ['toString', 'constructor', '__proto__', 'station', ''])
      expect(isCallName(name)).toBe(false)
  })

  it.each(callNames)(
    '%s takes only objects, asks and answers with plain data, and shows no secret',
    (name) => {
      for (const wrong of [null, 'text', 7, [], true])
        expect(calls[name].input.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
      expect(asJson(calls[name].input, 'input')).toContain('"object"')
      expect(asJson(calls[name].output, 'output')).not.toContain('"clientSecret"')
    },
  )

  it('fill in what a caller may leave out', () => {
    expect(calls['submissions.list'].input.parse({})).toEqual({ limit: 100 })
    expect(calls['station.pause'].input.parse({})).toEqual({ seconds: null })
    expect(calls['cases.list'].input.parse({})).toEqual({ refresh: false })
    expect(calls['audit.list'].input.parse({})).toEqual({ limit: 100 })
  })

  const many = Array.from({ length: 1_001 }, (_, index) => String(index))
  it.each<[CallName, object]>([
    ['submissions.list', { limit: 1_001 }],
    ['submissions.list', { limit: 0 }],
    ['submissions.list', { search: 'x'.repeat(201) }],
    ['submissions.hold', { ids: [] }],
    ['submissions.hold', { ids: many }],
    ['station.pause', { seconds: 0 }],
  ])('have bounds: %s', (name, input) => {
    expect(calls[name].input.safeParse(input).success).toBe(false)
  })

  it('list submissions with at least what the design promises', () => {
    const promised = 'id reference state fields images centerId attempts caseId failure addedAt urgent'
    const ofImages = 'id fileName eye sizeBytes sha256'
    expect(Object.keys(submissionSchema.shape)).toEqual(expect.arrayContaining(promised.split(' ')))
    const image = submissionSchema.shape.images.element.shape
    expect(Object.keys(image)).toEqual(expect.arrayContaining(ofImages.split(' ')))
  })
})

describe('the events', () => {
  const submission = syntheticSubmission('s1', { images: [syntheticImage('i1')] })
  const report = { caseId: '9', submissionId: 's1' }

  it.each(eventNames)('%s carries plain data only', (name) => {
    expect(asJson(events[name], 'output')).not.toContain('"clientSecret"')
  })

  it.each([
    { name: 'stationChanged', revision: 7, payload: syntheticStatus() },
    { name: 'submissionChanged', revision: 8, payload: submission },
    { name: 'reportArrived', revision: 9, payload: report },
  ])('$name arrives as it was emitted', (event) => {
    expect(stationEventSchema.parse(JSON.parse(JSON.stringify(event)))).toEqual(event)
    expect(structuredClone(event)).toStrictEqual(event)
  })

  it.each([
    { name: 'unheardOf', revision: 1, payload: {} },
    { name: 'reportArrived', payload: report },
    { name: 'reportArrived', revision: 1.5, payload: report },
    { name: 'reportArrived', revision: 1, payload: {} },
    { name: 'submissionChanged', revision: 1, payload: { ...submission, state: 'lost' } },
    { name: 'submissionChanged', revision: 1, payload: { ...submission, reference: 'FC0' } },
  ])('are never %j', (event) => {
    expect(stationEventSchema.safeParse(event).success).toBe(false)
  })
})

it('serves bytes of some kinds, and never the secrets', () => {
  expect(['image', 'thumbnail', 'report', 'secrets'].map(isBytesKind)).toEqual([true, true, true, false])
})
