/** Runs a practice service alone: `node test/practice-service/main.ts [--port N] [--base-path /eye/api] [--dialect talkative]`. */
import { parseArgs } from 'node:util'
import { STINGY, TACITURN, TALKATIVE, type Dialect } from './dialects.ts'
import { openPracticeService } from './practice-service.ts'

const DIALECTS = new Map<string, Dialect>([
  ['stingy', STINGY],
  ['talkative', TALKATIVE],
  ['taciturn', TACITURN],
])

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'base-path': { type: 'string', default: '' },
    dialect: { type: 'string', default: 'stingy' },
    'report-seconds': { type: 'string', default: '4' },
  },
})
const dialect = DIALECTS.get(values.dialect)
if (!dialect) throw new Error(`--dialect is one of ${[...DIALECTS.keys()].join(', ')}`)

const service = await openPracticeService({
  port: Number(values.port),
  basePath: values['base-path'],
  reportDelayMs: Number(values['report-seconds']) * 1_000,
  dialect,
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)
say(`address        ${service.baseUrl}`)
say(`client id      ${service.clientId}`)
say(`client secret  ${service.clientSecret}`)
service.journal.onEnded((entry) => {
  const outcome = entry.outcome.kind === 'answered' ? String(entry.outcome.status) : entry.outcome.kind
  const stored = entry.caseId === null ? '' : ` case ${entry.caseId}`
  say(
    `${entry.method} ${entry.path} ${outcome}, ${String(entry.bodyBytes)} bytes${stored} ${entry.complaints.join('; ')}`.trimEnd(),
  )
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void service.close()
  })
