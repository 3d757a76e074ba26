/** The end of the app, its window that closes, and screens that fail. */
import type { HostLanguage } from './host-language.ts'

type LifeWords = {
  /** Quitting while cases wait. */
  readonly quitTitle: (onTheWay: number) => string
  readonly quitDetail: string
  readonly quitDetailNotSending: string
  readonly keepRunning: string
  readonly sendFirst: string
  readonly quitNow: string
  /** The first time that the window is closed. */
  readonly closedTitle: string
  readonly closedDetail: string
  readonly understood: string
  /** A second start that cannot show the window of the first. */
  readonly silent: (pid: number) => string
  readonly otherHost: (hostName: string, lockPath: string) => string
  readonly otherAccount: (pid: number) => string
  /** The page in place of screens that fail again and again. */
  readonly failedTitle: string
  readonly failedBody: string
  readonly failedSafe: string
  readonly failedLogs: string
  readonly tryAgain: string
}

export const lifeWords: Readonly<Record<HostLanguage, LifeWords>> = {
  en: {
    quitTitle: (onTheWay) =>
      onTheWay === 1 ? 'One case is not sent yet' : `${onTheWay} cases are not sent yet`,
    quitDetail:
      'Nothing is lost: cases that wait are kept on this computer and go on at the next start. As long as Fundus Courier does not run, no images are taken in and nothing is sent.',
    quitDetailNotSending:
      'They are not being sent at the moment. Nothing is lost: cases that wait are kept on this computer until the next start. As long as Fundus Courier does not run, no images are taken in and nothing is sent.',
    keepRunning: 'Keep running',
    sendFirst: 'Send first, then quit',
    quitNow: 'Quit now',
    closedTitle: 'Fundus Courier goes on in the background',
    closedDetail:
      'It takes in images and sends cases as before. To see the window again, click its mark beside the clock or start Fundus Courier once more. To end it, choose Quit in the menu of that mark.',
    understood: 'Understood',
    silent: (pid) =>
      `Fundus Courier is running already (process ${pid}), but it has not answered for some minutes. All cases are kept. End that process or restart the computer, then start it again.`,
    otherHost: (hostName, lockPath) =>
      `Fundus Courier is running already on the computer ${hostName}, with the same folder of this account. If it is not running there, because that computer is gone or has another name now, remove the file ${lockPath} and start again. All cases are kept.`,
    otherAccount: (pid) =>
      `Fundus Courier is running already under another account of this computer (process ${pid}). Use it there, or have it ended there, then start it again. All cases are kept.`,
    failedTitle: 'The screens stopped several times',
    failedBody: 'They are not shown any more until you try again.',
    failedSafe:
      'The station itself goes on without them: it takes in images and sends cases as before. Nothing is lost.',
    failedLogs:
      'If it happens again, tell the administrator. What happened stands in the log files of this folder:',
    tryAgain: 'Try again',
  },
  es: {
    quitTitle: (onTheWay) =>
      onTheWay === 1 ? 'Un caso aún no se ha enviado' : `${onTheWay} casos aún no se han enviado`,
    quitDetail:
      'No se pierde nada: los casos en espera se conservan en este equipo y continúan en el próximo inicio. Mientras Fundus Courier no funcione, no se reciben imágenes ni se envía nada.',
    quitDetailNotSending:
      'En este momento no se están enviando. No se pierde nada: los casos en espera se conservan en este equipo hasta el próximo inicio. Mientras Fundus Courier no funcione, no se reciben imágenes ni se envía nada.',
    keepRunning: 'Seguir funcionando',
    sendFirst: 'Enviar primero y después salir',
    quitNow: 'Salir ahora',
    closedTitle: 'Fundus Courier sigue funcionando en segundo plano',
    closedDetail:
      'Recibe imágenes y envía casos como antes. Para volver a ver la ventana, haga clic en su icono junto al reloj o inicie Fundus Courier otra vez. Para terminarlo, elija Salir en el menú de ese icono.',
    understood: 'Entendido',
    silent: (pid) =>
      `Fundus Courier ya está funcionando (proceso ${pid}), pero no responde desde hace unos minutos. Se conservan todos los casos. Termine ese proceso o reinicie el equipo y vuelva a iniciarlo.`,
    otherHost: (hostName, lockPath) =>
      `Fundus Courier ya está funcionando en el equipo ${hostName}, con la misma carpeta de esta cuenta. Si no funciona allí, porque ese equipo ya no existe o ahora tiene otro nombre, elimine el archivo ${lockPath} y vuelva a iniciarlo. Se conservan todos los casos.`,
    otherAccount: (pid) =>
      `Fundus Courier ya está funcionando con otra cuenta de este equipo (proceso ${pid}). Úselo allí, o haga que se termine allí y vuelva a iniciarlo. Se conservan todos los casos.`,
    failedTitle: 'Las pantallas se detuvieron varias veces',
    failedBody: 'No se muestran más hasta que vuelva a intentarlo.',
    failedSafe:
      'La estación sigue funcionando sin ellas: recibe imágenes y envía casos como antes. No se pierde nada.',
    failedLogs:
      'Si vuelve a ocurrir, avise al administrador. Lo ocurrido consta en los archivos de registro de esta carpeta:',
    tryAgain: 'Intentar de nuevo',
  },
}
