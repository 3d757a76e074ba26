/**
 * A case submission service to practise on: the whole published interface on a loopback port, strict in what it
 * takes, stingy in what it states, and able to go wrong in every way that services are known for.
 */
import type { AddressInfo } from 'node:net'
import type { FastifyRequest } from 'fastify'
import {
  Cases,
  Centers,
  type Desk,
  type PracticeOptions,
  practiceSettings,
  storeCase,
  type StoredCase,
  Tokens,
  CREDENTIALS,
} from './desk.ts'
import { createFrontDoor, type Exchange, listenAgain, listenOn, stopListening } from './front-door.ts'
import { Faults } from './faults.ts'
import { Journal, type JournalReader } from './journal.ts'
import { createRoutes } from './routes.ts'

export type PracticeService = {
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** The three of them, as the settings of a station have them. */
  readonly account: Readonly<Record<'baseUrl' | 'clientId' | 'clientSecret', string>>
  readonly journal: JournalReader
  readonly faults: Pick<Faults, 'add' | 'clear'>
  /** The cases stored so far, of all centers, in the order of arrival. */
  cases(): readonly StoredCase[]
  /** Puts a case there as another workstation of the same client would. */
  addForeignCase(fields: Readonly<Record<string, string>>, centerId?: string): StoredCase
  currentCenterId(): string
  /** As another workstation of the same client would. */
  switchCenter(centerId: string): void
  expireTokens(): void
  /** Closes the port: connections are refused and those that are open end. */
  goAway(): Promise<void>
  /** Opens the same port again. */
  comeBack(): Promise<void>
  close(): Promise<void>
}

/** Opens a practice service on 127.0.0.1. */
export async function openPracticeService(options: PracticeOptions = {}): Promise<PracticeService> {
  const settings = practiceSettings(options)
  const desk: Desk = {
    settings,
    tokens: new Tokens(),
    centers: new Centers(),
    cases: new Cases(),
  }
  const journal = new Journal()
  const faults = new Faults()
  const exchanges = new WeakMap<object, Exchange>()
  const app = await createRoutes(desk, (request: FastifyRequest) => {
    const exchange = exchanges.get(request.raw)
    if (!exchange) throw new Error('A request came past the front door.')
    return exchange
  })

  const server = createFrontDoor({
    journal,
    faults,
    expireTokens: () => desk.tokens.expireAll(),
    admit: (exchange, response) => {
      exchanges.set(exchange.request, exchange)
      app.routing(exchange.request, response)
    },
  })
  await listenOn(server, 0)
  const { port } = server.address() as AddressInfo

  const account = { baseUrl: `http://127.0.0.1:${port}`, ...CREDENTIALS }
  return {
    ...account,
    account,
    journal,
    faults,
    cases: () => desk.cases.all(),
    addForeignCase: (fields, centerId) => {
      const parts = Object.entries(fields).map(([name, value]) => ({ name, value }))
      return storeCase(desk, { fields: parts, images: [] }, centerId)
    },
    currentCenterId: () => desk.centers.currentId,
    switchCenter: (centerId) => {
      if (!desk.centers.switchTo(centerId)) throw new Error('There is no such center.')
    },
    expireTokens: () => desk.tokens.expireAll(),
    goAway: () => stopListening(server),
    comeBack: () => listenAgain(server, port),
    close: async () => {
      await stopListening(server)
      await app.close()
    },
  }
}
