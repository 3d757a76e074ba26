/** A client by the book for the tests of the service itself: fetch and FormData, nothing of the station. */
import type { PracticeService } from './practice-service.ts'

export type CaseImage = { readonly partName?: string; readonly fileName: string; readonly bytes: Buffer }
export type CaseParts = {
  readonly fields?: Readonly<Record<string, string>>
  readonly images?: readonly CaseImage[]
}

export const IMAGE: CaseImage = {
  fileName: 'FC7K3M9QXAW_OD_1.jpg',
  bytes: Buffer.from('not looked into'),
}

export function formOf(parts: CaseParts): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts.fields ?? { history_number: 'H-00017' }))
    form.append(name, value)
  for (const { partName = 'images[]', fileName, bytes } of parts.images ?? [IMAGE])
    form.append(partName, new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), fileName)
  return form
}

export async function authorise(service: PracticeService, secret = service.clientSecret): Promise<Response> {
  return fetch(`${service.baseUrl}/authorize`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: service.clientId,
      client_secret: secret,
      grant_type: 'client_credentials',
    }),
  })
}

async function takeToken(service: PracticeService): Promise<string> {
  const { access_token } = (await (await authorise(service)).json()) as { access_token: string }
  return access_token
}

export type Call = (path: string, init?: RequestInit) => Promise<Response>

/** Calls with a token taken once. */
export async function openCalls(service: PracticeService): Promise<Call> {
  const token = await takeToken(service)
  return (path, init = {}) =>
    fetch(service.baseUrl + path, { ...init, headers: { authorization: `Bearer ${token}` } })
}

export async function postCase(call: Call, parts: CaseParts = {}): Promise<Response> {
  return call('/cases', { method: 'POST', body: formOf(parts) })
}
