import { defineConfig } from "vite";

// The site's page and worker; scripts/site says where to (a folder of the user, which is not emptied), and puts Python and the package beside them.
export default defineConfig({
  base: "./",
  build: {
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: "app.js", assetFileNames: "app[extname]", chunkFileNames: "[name].js" },
    },
  },
  worker: { format: "es", rollupOptions: { output: { entryFileNames: "worker.js" } } },
});
