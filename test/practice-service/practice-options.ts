import type { PracticeCenter } from './centers.ts'
import { STINGY, type Dialect } from './dialects.ts'
import type { Limits } from './limits.ts'

export type PracticeOptions = {
  /** 0 for any free port. */
  readonly port?: number
  /** The path of the base address, such as `/eye/api`; empty by default. */
  readonly basePath?: string
  readonly clientId?: string
  readonly clientSecret?: string
  /** The first one is current at the start. */
  readonly centers?: readonly PracticeCenter[]
  readonly tokenLifeMs?: number
  /** Every answer leaves so much later than what it tells of was done. */
  readonly answerDelayMs?: number
  /** From a case's arrival to its report. */
  readonly reportDelayMs?: number
  /** From a case's arrival to its first appearance in the list. */
  readonly listDelayMs?: number
  readonly requiredFields?: readonly string[]
  readonly limits?: Limits | null
  /** Departures from the stingy default. */
  readonly dialect?: Partial<Dialect>
  /** Epoch milliseconds; what tokens, lists and reports go by. */
  readonly now?: () => number
}

export type PracticeSettings = Required<Omit<PracticeOptions, 'dialect'>> & { readonly dialect: Dialect }

/** The options with every default in its place. */
export function practiceSettings(options: PracticeOptions): PracticeSettings {
  return {
    port: options.port ?? 0,
    basePath: options.basePath ?? '',
    clientId: options.clientId ?? 'practice-client',
    clientSecret: options.clientSecret ?? 'practice-secret',
    centers: options.centers ?? [
      { id: '101', name: 'Practice Center North' },
      { id: '102', name: 'Practice Center South' },
    ],
    tokenLifeMs: options.tokenLifeMs ?? 3_600_000,
    // Late enough that a client which takes silence for success shows it.
    answerDelayMs: options.answerDelayMs ?? 300,
    reportDelayMs: options.reportDelayMs ?? 4_000,
    listDelayMs: options.listDelayMs ?? 0,
    requiredFields: options.requiredFields ?? ['history_number'],
    limits: options.limits ?? null,
    dialect: { ...STINGY, ...options.dialect },
    now: options.now ?? Date.now,
  }
}
