/** Where an attempt goes: evidence counts only there. */
export type Destination = {
  readonly baseUrl: string
  readonly clientId: string
  readonly centerId: string | null
}
