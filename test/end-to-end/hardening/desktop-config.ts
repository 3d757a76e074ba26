import type { StationConfig } from '../../station-process/start-station.ts'
import { quickFolder, type Scene } from '../station-scene.ts'

/** The configuration of a desktop app in a scene. */
export function configOf({ service, camera }: Scene): StationConfig {
  return {
    service: {
      baseUrl: service.baseUrl,
      clientId: service.clientId,
      clientSecret: service.clientSecret,
    },
    centerId: '101',
    folders: [quickFolder(camera)],
    delivery: { retryBaseSeconds: 0.2, lookSeconds: [0.2, 0.5, 1, 2] },
    reports: { checkSeconds: 0.3 },
  }
}
