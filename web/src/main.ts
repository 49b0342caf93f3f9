// The page that the command serves.

import { RemoteEngine, takeToken } from "./engine/remote";
import { start } from "./start";

void start(new RemoteEngine(takeToken()));
