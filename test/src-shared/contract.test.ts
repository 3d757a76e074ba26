import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  BYTES_KINDS,
  calls,
  events,
  isBytesKind,
  isCallName,
  stationEventSchema,
  type CallName,
  type EventName,
} from '../../src-shared/contract.ts'
import { callSamples, eventSamples } from './contract-samples.ts'
import { sampleSubmission } from './value-samples.ts'

const callNames = Object.keys(calls) as CallName[]
const eventNames = Object.keys(events) as EventName[]
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The names that the design has settled, so that scripts can rely on them. */
const SETTLED =
  `station.status station.pause station.resume submissions.list submissions.get submissions.create
  submissions.update submissions.approve submissions.retry submissions.prioritise submissions.hold
  submissions.release submissions.discard submissions.restore submissions.merge submissions.split
  submissions.resolve cases.list cases.get reports.list reports.get centers.list centers.change
  folders.tryProfile service.test settings.get settings.update audit.list`.split(/\s+/)

describe('the calls', () => {
  it('are at least those that the design has settled', () => {
    expect(SETTLED.filter((name) => !isCallName(name))).toEqual([])
  })

  it('are no inherited names', () => {
    for (const name of ['toString', 'constructor', '__proto__', 'station', ''])
      expect(isCallName(name)).toBe(false)
  })

  it.each(callNames)('%s takes its input and gives its output, also over JSON', (name) => {
    const { input, output } = callSamples[name]
    expect(calls[name].input.parse(throughJson(input))).toMatchObject(input)
    expect(calls[name].output.parse(throughJson(output))).toEqual(output)
  })

  it.each(callNames)('%s takes only objects', (name) => {
    for (const wrong of [null, 'text', 7, [], true])
      expect(calls[name].input.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
  })

  it('fill in what a caller may leave out', () => {
    expect(calls['submissions.list'].input.parse({})).toEqual({ limit: 100 })
    expect(calls['station.pause'].input.parse({})).toEqual({ seconds: null })
    expect(calls['cases.list'].input.parse({})).toEqual({ refresh: false })
    expect(calls['audit.list'].input.parse({})).toEqual({ limit: 100 })
  })

  it('have bounds', () => {
    expect(calls['submissions.list'].input.safeParse({ limit: 1_001 }).success).toBe(false)
    expect(calls['submissions.list'].input.safeParse({ limit: 0 }).success).toBe(false)
    expect(calls['submissions.list'].input.safeParse({ search: 'x'.repeat(201) }).success).toBe(false)
    expect(calls['submissions.hold'].input.safeParse({ ids: [] }).success).toBe(false)
    const many = Array.from({ length: 1_001 }, (_, index) => String(index))
    expect(calls['submissions.hold'].input.safeParse({ ids: many }).success).toBe(false)
    expect(calls['station.pause'].input.safeParse({ seconds: 0 }).success).toBe(false)
  })

  it('list submissions with at least what the design promises', () => {
    const [item] = calls['submissions.list'].output.parse(callSamples['submissions.list'].output).items
    const promised = 'id reference state fields images centerId attempts caseId failure addedAt urgent'.split(
      ' ',
    )
    expect(Object.keys(item ?? {})).toEqual(expect.arrayContaining(promised))
    expect(Object.keys(item?.images[0] ?? {})).toEqual(
      expect.arrayContaining(['id', 'fileName', 'eye', 'sizeBytes', 'sha256']),
    )
  })

  it('never let a secret out', () => {
    const outputs = callNames.map((name) =>
      JSON.stringify(calls[name].output.parse(callSamples[name].output)),
    )
    expect(outputs.filter((text) => text.includes('clientSecret"'))).toEqual([])
  })
})

/** Throws for anything that JSON cannot express: dates, maps, sets, functions, symbols, big integers, instances of classes. */
function isPlain(schema: z.ZodType, io: 'input' | 'output'): boolean {
  return typeof z.toJSONSchema(schema, { io, unrepresentable: 'throw' }) === 'object'
}

describe('what crosses between a screen and the station, as JSON over HTTP and as a structured clone over IPC', () => {
  it.each(callNames)('%s asks and answers with plain data only', (name) => {
    expect(isPlain(calls[name].input, 'input')).toBe(true)
    expect(isPlain(calls[name].output, 'output')).toBe(true)
  })

  it.each(eventNames)('%s carries plain data only', (name) => {
    expect(isPlain(events[name], 'output')).toBe(true)
  })

  it('would be refused here if it were no plain data', () => {
    for (const schema of [
      z.object({ at: z.date() }),
      z.map(z.string(), z.string()),
      z.array(z.instanceof(Error)),
      z.bigint(),
      z.object({ run: z.function() }),
    ])
      expect(() => isPlain(schema, 'output')).toThrow(/cannot be represented/)
  })

  it.each(callNames)('%s is the same after a structured clone', (name) => {
    const { input, output } = callSamples[name]
    expect(structuredClone(input)).toStrictEqual(input)
    expect(structuredClone({ ok: true, value: output })).toStrictEqual({ ok: true, value: output })
    expect(calls[name].output.parse(structuredClone(output))).toStrictEqual(output)
  })

  it.each(eventNames)('%s is the same after a structured clone', (name) => {
    const event = { name, revision: 7, payload: eventSamples[name] }
    expect(structuredClone(event)).toStrictEqual(event)
  })
})

describe('the events', () => {
  it.each(eventNames)('%s arrives as it was emitted', (name) => {
    const event = { name, revision: 7, payload: eventSamples[name] }
    expect(stationEventSchema.parse(throughJson(event))).toEqual(event)
  })

  it.each([
    { name: 'unheardOf', revision: 1, payload: {} },
    { name: 'reportArrived', payload: eventSamples.reportArrived },
    { name: 'reportArrived', revision: 1.5, payload: eventSamples.reportArrived },
    { name: 'reportArrived', revision: 1, payload: {} },
    { name: 'submissionChanged', revision: 1, payload: { ...sampleSubmission, state: 'lost' } },
    { name: 'submissionChanged', revision: 1, payload: { ...sampleSubmission, reference: 'FC0' } },
  ])('are never %j', (event) => {
    expect(stationEventSchema.safeParse(event).success).toBe(false)
  })
})

it('serves bytes of three kinds', () => {
  expect(BYTES_KINDS.every(isBytesKind)).toBe(true)
  expect(isBytesKind('secrets')).toBe(false)
})
