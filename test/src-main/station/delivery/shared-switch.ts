import type { ServiceClient } from '../../../../src-main/station/service/client.ts'
import { fail, type Failure, type Result, succeed } from '../../../../src-shared/failure.ts'

/**
 * The worst service there may be: one switch for all calls, which every new token sets back. As a client, the part
 * that the gate uses.
 */
export class SharedSwitch implements Pick<
  ServiceClient,
  'authorise' | 'changeCenter' | 'listCases' | 'tokenNumber'
> {
  center: string | null = null
  readonly asked: string[] = []
  readonly refusals = new Map<string, Failure>()
  tokenFailure: Failure | null = null
  #tokens = 0
  /** Whoever wants to see the worst takes the steps of each call apart here. */
  readonly step: (what: string) => Promise<void>

  constructor(step: (what: string) => Promise<void> = () => Promise.resolve()) {
    this.step = step
  }

  tokenNumber = (): number => this.#tokens

  renewToken(): void {
    this.#tokens += 1
    this.center = null
  }

  listCases: ServiceClient['listCases'] = () => Promise.resolve(succeed({ cases: [], isComplete: true }))

  authorise: ServiceClient['authorise'] = async (): Promise<Result<null>> => {
    await this.step('token')
    if (this.tokenFailure) return fail(this.tokenFailure)
    if (this.#tokens === 0) {
      this.asked.push('token')
      this.renewToken()
    }
    return succeed(null)
  }

  changeCenter: ServiceClient['changeCenter'] = async (centerId): Promise<Result<null>> => {
    this.asked.push(`set ${centerId}`)
    await this.step(`request ${centerId}`)
    const refusal = this.refusals.get(centerId)
    if (refusal) return fail(refusal)
    this.center = centerId
    await this.step(`answer ${centerId}`)
    return succeed(null)
  }
}
