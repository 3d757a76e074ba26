/** Opens what asks for reports and what copies them for the clinic, and introduces both to the service. */
import type { Settings } from '../../src-shared/settings.ts'
import type { Delivery } from './delivery/open-delivery.ts'
import type { Loop } from './loop.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Ports } from './ports.ts'
import { openReportCopies } from './reports/open-report-copies.ts'
import { openReports } from './reports/open-reports.ts'
import type { ReportSource } from './reports/report-source.ts'

export type ReportParts = { readonly reports: Loop; readonly copies: ReturnType<typeof openReportCopies> }

export type ReportPartsOptions = {
  readonly outbox: Outbox
  readonly ports: Ports
  readonly settings: () => Settings
  readonly folder: string
  /** Null while no service is set. */
  readonly delivery: () => Delivery | null
  readonly onArrived: Parameters<typeof openReports>[0]['onArrived']
}

export function openReportParts(options: ReportPartsOptions): ReportParts {
  const { outbox, ports, settings, folder } = options
  const { clock, logger } = ports
  const source = (): ReportSource | null => {
    const current = options.delivery()
    return (
      current && {
        identity: current.identity,
        troubledUntil: () => current.serviceStatus().nextTryAt,
        getReport: (watch) =>
          current.ask(watch.center_id, (client, signal) => client.getReport(watch.case_id, signal)),
        listCases: (centerId) => current.ask(centerId, (client, signal) => client.listCases(signal)),
        learnFromList: (centerId, cases) => current.learnFromList(centerId, cases),
      }
    )
  }
  const copies = openReportCopies({
    outbox,
    clock,
    logger,
    saveTo: () => settings().reports.saveTo,
    folder,
  })
  const reports = openReports({
    outbox,
    clock,
    logger,
    settings,
    folder,
    source,
    onArrived: (report) => {
      copies.wake()
      options.onArrived(report)
    },
  })
  return { reports, copies }
}
