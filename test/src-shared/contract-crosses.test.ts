/** What the contract says crosses two wires: as JSON over HTTP, and as a structured clone over IPC. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { calls, events, type CallName, type EventName } from '../../src-shared/contract.ts'
import { callSamples, eventSamples } from './contract-samples.ts'

const callNames = Object.keys(calls) as CallName[]
const eventNames = Object.keys(events) as EventName[]

/** Throws for whatever JSON cannot say: dates, maps, sets, functions, symbols, big integers, instances of classes. */
function isPlain(schema: z.ZodType, io: 'input' | 'output'): boolean {
  return typeof z.toJSONSchema(schema, { io, unrepresentable: 'throw' }) === 'object'
}

describe('what crosses between a screen and the station', () => {
  it.each(callNames)('%s asks and answers with plain data only', (name) => {
    expect(isPlain(calls[name].input, 'input')).toBe(true)
    expect(isPlain(calls[name].output, 'output')).toBe(true)
  })

  it.each(eventNames)('%s tells plain data only', (name) => {
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

  it.each(callNames)('%s keeps its answer through a structured clone', (name) => {
    const { input, output } = callSamples[name]
    expect(structuredClone(input)).toStrictEqual(input)
    expect(structuredClone({ ok: true, value: output })).toStrictEqual({ ok: true, value: output })
    expect(calls[name].output.parse(structuredClone(output))).toStrictEqual(output)
  })

  it.each(eventNames)('%s keeps what it tells through a structured clone', (name) => {
    const event = { name, revision: 7, payload: eventSamples[name] }
    expect(structuredClone(event)).toStrictEqual(event)
  })
})
