import { failureOf } from '../../../src-shared/failure.ts'
import { fail, type Result } from '../../../src-shared/result.ts'
import type { ServiceClient } from './service-client.ts'

/** A client for an address that cannot be used: it answers every question with that and sends nothing. */
export function createRefusingClient(settings: ServiceClient['identity']): ServiceClient {
  const failure = failureOf('wrongAddress', {
    message: 'The service address in Settings cannot be used, so nothing was sent. Correct it in Settings.',
  })
  const refuse = (): Promise<Result<never>> => Promise.resolve(fail(failure))
  return {
    identity: { baseUrl: settings.baseUrl, clientId: settings.clientId },
    tokenNumber: () => 0,
    clockReading: () => ({ kind: 'unknown' }),
    authorise: refuse,
    listCases: refuse,
    getCase: refuse,
    getReport: refuse,
    listCenters: refuse,
    changeCenter: refuse,
    postCase: ({ body }) =>
      Promise.resolve({
        handedOverBytes: 0,
        requestBytes: body.contentLength,
        answer: null,
        caseId: null,
        failure,
        saysTokenEnded: false,
      }),
    close: () => Promise.resolve(),
  }
}
