import { defineConfig } from "vite";

// Names without hashes: the bundle is kept with the package, and a change shows as one.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../src/tilewright/explorer/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: "app.js", assetFileNames: "app[extname]", chunkFileNames: "[name].js" },
    },
  },
});
