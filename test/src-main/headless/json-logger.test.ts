import { expect, it, vi } from 'vitest'
import { createJsonLogger } from '../../../src-main/headless/ports.ts'

vi.mock('pino', () => {
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
  return { default: Object.assign(() => silent, { destination: () => null, stdTimeFunctions: {} }) }
})

it('keeps its latest lines, the oldest first, and no more of them', async () => {
  const log = createJsonLogger()
  for (let index = 0; index < 600; index += 1) log.info('line', { index })
  log.warn('the last')
  const lines = await log.recentLog()
  expect(lines).toHaveLength(500)
  expect(lines[0]?.facts).toEqual({ index: 101 })
  expect(lines.at(-1)).toEqual({ at: expect.any(Number), level: 'warn', message: 'the last', facts: {} })
})
